/*---
description: "Each thread sums its elements of a grid-stride loop, then one shared cell collects them."
reference: "CUDA C++ Programming Guide, Kernels"
features: [grid-stride loop, atom.global.add]
tags: [published, algorithm]
launches:
  - grid: [2, 1, 1]
    block: [4, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3]}
      - {kind: buf, dtype: int32, data: [0]}
      - {kind: i32, value: 14}
    expect:
      1: [68]
  - grid: [3, 1, 1]
    block: [3, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3]}
      - {kind: buf, dtype: int32, data: [0]}
      - {kind: i32, value: 14}
    expect:
      1: [68]
---*/
extern "C" __global__ void grid_stride_sum(const int *in, int *sum, int n)
{
    int mine = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        mine += in[i];
    atomicAdd(sum, mine);
}
