/*---
description: "As many partial sums as there are blocks; with one block, the whole sum."
reference: "CUDA C++ Programming Guide, Kernels"
features: [several blocks, nctaid as stride]
tags: [published]
launches:
  - grid: [4, 1, 1]
    block: [1, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3]}
      - {kind: buf, dtype: int32, fill: 0, count: 4}
      - {kind: i32, value: 16}
    expect:
      1: [22, 20, 20, 18]
  - grid: [1, 1, 1]
    block: [1, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3]}
      - {kind: buf, dtype: int32, fill: 1, count: 4}
      - {kind: i32, value: 16}
    expect:
      1: [80, 1, 1, 1]
---*/
extern "C" __global__ void partial_sums_by_block(const int *in, int *out, int n)
{
    int sum = 0;
    for (int i = blockIdx.x; i < n; i += gridDim.x)
        sum += in[i];
    out[blockIdx.x] = sum;
}
