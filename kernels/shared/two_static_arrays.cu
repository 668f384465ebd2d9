/*---
description: "Two static arrays do not overlap, whatever order they are written in."
reference: "CUDA C++ Programming Guide, Shared Memory"
features: [several shared arrays, bar.sync]
tags: [published]
launches:
  - grid: [1, 1, 1]
    block: [8, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [7, -3, 12, 0, 45, -128, 9, 1]}
      - {kind: buf, dtype: int32, fill: 0, count: 8}
    expect:
      1: [14, 7994, -128976, 44000, -910, 10744, -3982, 6002]
---*/
extern "C" __global__ void two_static_arrays(const int *in, int *out)
{
    __shared__ int low[8];
    __shared__ int high[8];
    int t = threadIdx.x;
    high[t] = in[t] * 2;
    low[7 - t] = in[t] - 1;
    __syncthreads();
    out[t] = low[t] * 1000 + high[t];
}
