/*---
description: "All threads of several blocks add to one word."
reference: "CUDA C++ Programming Guide, Atomic Functions"
features: [atom.global.add, several blocks]
tags: [published]
covers: [atomic-kinds]
launches:
  - grid: [4, 1, 1]
    block: [3, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [4, -1, 0, 6, -2, -3, -4, -5, 1, 2, 3, 9]}
      - {kind: buf, dtype: int32, data: [100]}
      - {kind: i32, value: 11}
    expect:
      1: [101]
---*/
extern "C" __global__ void add_one_cell(const int *in, int *sum, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        atomicAdd(sum, in[i]);
}
