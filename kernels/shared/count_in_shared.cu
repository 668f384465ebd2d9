/*---
description: "A shared counter, cleared by one thread, counted up by all, read by all."
reference: "CUDA C++ Programming Guide, Synchronization Functions"
features: [atom.shared.add, bar.sync]
tags: [published]
launches:
  - grid: [2, 1, 1]
    block: [8, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [7, 1, 9, 6, 100, -5, 8, 0, 1, 2, 3, 4, 5, 6, 7, 8]}
      - {kind: buf, dtype: int32, fill: 0, count: 16}
      - {kind: i32, value: 6}
    expect:
      1: [40, 41, 42, 43, 44, 45, 46, 47, 20, 21, 22, 23, 24, 25, 26, 27]
---*/
extern "C" __global__ void count_in_shared(const int *in, int *out, int limit)
{
    __shared__ int count;
    int t = threadIdx.x;
    if (t == 0)
        count = 0;
    __syncthreads();
    if (in[blockIdx.x * 8 + t] > limit)
        atomicAdd(&count, 1);
    __syncthreads();
    out[blockIdx.x * 8 + t] = count * 10 + t;
}
