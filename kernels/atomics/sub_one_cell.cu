/*---
description: "Atomic subtraction, of negative values as well."
reference: "CUDA C++ Programming Guide, Atomic Functions"
features: [atomicSub, neg, atom.add]
tags: [published]
covers: [atomic-kinds]
launches:
  - grid: [1, 1, 1]
    block: [8, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [7, -3, 12, 0, 45, -128, 9, 1]}
      - {kind: buf, dtype: int32, data: [50]}
      - {kind: buf, dtype: uint32, data: [3]}
    expect:
      1: [107]
      2: [4294967291]
---*/
extern "C" __global__ void sub_one_cell(const int *in, int *left, unsigned *count)
{
    int t = threadIdx.x;
    atomicSub(left, in[t]);
    atomicSub(count, 1u);
}
