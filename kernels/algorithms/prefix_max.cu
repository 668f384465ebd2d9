/*---
description: "Running maximum of twelve values."
reference: "CUDA C++ Programming Guide, Shared Memory"
features: [bar.sync, max.s32]
tags: [published, algorithm]
launches:
  - grid: [1, 1, 1]
    block: [12, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [-9, -12, 3, 2, 2, 7, -1, 7, 20, 0, 19, 21]}
      - {kind: buf, dtype: int32, fill: 0, count: 12}
    expect:
      1: [-9, -9, 3, 3, 3, 7, 7, 7, 20, 20, 20, 21]
---*/
extern "C" __global__ void prefix_max(const int *in, int *out)
{
    __shared__ int s[12];
    int t = threadIdx.x;
    s[t] = in[t];
    __syncthreads();
    for (int d = 1; d < 12; d <<= 1) {
        int v = s[t];
        if (t >= d && s[t - d] > v)
            v = s[t - d];
        __syncthreads();
        s[t] = v;
        __syncthreads();
    }
    out[t] = s[t];
}
