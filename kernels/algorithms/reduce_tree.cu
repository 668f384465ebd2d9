/*---
description: "Sum, smallest and largest of eight values by one tree."
reference: "CUDA C++ Programming Guide, Shared Memory"
features: [bar.sync, min.s32, max.s32]
tags: [published, algorithm]
launches:
  - grid: [1, 1, 1]
    block: [8, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [7, -3, 12, 0, 45, -128, 9, 1]}
      - {kind: buf, dtype: int32, data: [0, 0, 0]}
    expect:
      1: [-57, -128, 45]
---*/
extern "C" __global__ void reduce_tree(const int *in, int *out)
{
    __shared__ int sum[8], low[8], high[8];
    int t = threadIdx.x;
    sum[t] = low[t] = high[t] = in[t];
    __syncthreads();
    for (int half = 4; half > 0; half >>= 1) {
        if (t < half) {
            sum[t] += sum[t + half];
            low[t] = min(low[t], low[t + half]);
            high[t] = max(high[t], high[t + half]);
        }
        __syncthreads();
    }
    if (t == 0) {
        out[0] = sum[0];
        out[1] = low[0];
        out[2] = high[0];
    }
}
