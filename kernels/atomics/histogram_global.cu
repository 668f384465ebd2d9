/*---
description: "Counting into eight bins of a buffer."
reference: "CUDA C++ Programming Guide, Atomic Functions"
features: [atom.global.add, dependent address]
tags: [published, algorithm]
launches:
  - grid: [3, 1, 1]
    block: [4, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [3, 1, 3, 0, 7, 2, 3, 1, 1, 6, 5, 3]}
      - {kind: buf, dtype: int32, fill: 0, count: 8}
    expect:
      1: [1, 3, 1, 4, 0, 1, 1, 1]
---*/
extern "C" __global__ void histogram_global(const int *in, int *bins)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    atomicAdd(&bins[in[i] & 7], 1);
}
