/*---
description: "The last block has threads without an element."
reference: "CUDA C++ Programming Guide, Kernels"
features: [setp, bra, several blocks]
tags: [published]
launches:
  - grid: [4, 1, 1]
    block: [4, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3]}
      - {kind: buf, dtype: int32, fill: -1, count: 16}
      - {kind: i32, value: 13}
    expect:
      1: [9, 0, 14, -2, 21, 76, -2, 29, 17, 0, 15, 53, 69, -1, -1, -1]
  - grid: [3, 1, 1]
    block: [5, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3]}
      - {kind: buf, dtype: int32, fill: -1, count: 16}
      - {kind: i32, value: 13}
    expect:
      1: [9, 0, 14, -2, 21, 76, -2, 29, 17, 0, 15, 53, 69, -1, -1, -1]
  - grid: [2, 1, 1]
    block: [8, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3]}
      - {kind: buf, dtype: int32, fill: -1, count: 16}
      - {kind: i32, value: 16}
    expect:
      1: [9, 0, 14, -2, 21, 76, -2, 29, 17, 0, 15, 53, 69, 36, 67, -6]
  - grid: [1, 1, 1]
    block: [3, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3]}
      - {kind: buf, dtype: int32, fill: -1, count: 16}
      - {kind: i32, value: 1}
    expect:
      1: [9, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1]
---*/
extern "C" __global__ void ragged_tail(const int *in, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    out[i] = in[i] * in[i] - i;
}
