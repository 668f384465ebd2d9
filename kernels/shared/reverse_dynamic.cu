/*---
description: "The same kernel with launch-sized shared memory, at two sizes."
reference: "CUDA C++ Programming Guide, Shared Memory"
features: [dynamic shared memory, bar.sync]
tags: [published]
launches:
  - grid: [1, 1, 1]
    block: [8, 1, 1]
    smem: 32
    args:
      - {kind: buf, dtype: int32, data: [7, -3, 12, 0, 45, -128, 9, 1]}
      - {kind: buf, dtype: int32, fill: 0, count: 8}
    expect:
      1: [1, 9, -128, 45, 0, 12, -3, 7]
  - grid: [1, 1, 1]
    block: [5, 1, 1]
    smem: 20
    args:
      - {kind: buf, dtype: int32, data: [7, -3, 12, 0, 45, -128, 9, 1]}
      - {kind: buf, dtype: int32, fill: -1, count: 8}
    expect:
      1: [45, 0, 12, -3, 7, -1, -1, -1]
---*/
extern "C" __global__ void reverse_dynamic(const int *in, int *out)
{
    extern __shared__ int slot[];
    int t = threadIdx.x;
    int n = blockDim.x;
    slot[t] = in[t];
    __syncthreads();
    out[t] = slot[n - 1 - t];
}
