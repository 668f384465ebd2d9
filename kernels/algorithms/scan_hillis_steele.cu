/*---
description: "Inclusive prefix sums of sixteen values in log steps."
reference: "CUDA C++ Programming Guide, Shared Memory"
features: [bar.sync in a loop, write after read]
tags: [published, algorithm]
launches:
  - grid: [1, 1, 1]
    block: [16, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3]}
      - {kind: buf, dtype: int32, fill: 0, count: 16}
    expect:
      1: [3, 4, 8, 9, 14, 23, 25, 31, 36, 39, 44, 52, 61, 68, 77, 80]
---*/
extern "C" __global__ void scan_hillis_steele(const int *in, int *out)
{
    __shared__ int s[16];
    int t = threadIdx.x;
    s[t] = in[t];
    __syncthreads();
    for (int d = 1; d < 16; d <<= 1) {
        int left = t >= d ? s[t - d] : 0;
        __syncthreads();
        s[t] += left;
        __syncthreads();
    }
    out[t] = s[t];
}
