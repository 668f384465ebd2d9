/*---
description: "Atomic or marks values in a bitmap; the old value says who was first, once for each value."
reference: "CUDA C++ Programming Guide, Atomic Functions"
features: [atom.global.or.b32 old value, shl]
tags: [algorithm]
covers: [atomic-old-value]
launches:
  - grid: [1, 1, 1]
    block: [12, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [3, 3, 31, 0, 7, 3, 31, 12, 0, 0, 5, 7]}
      - {kind: buf, dtype: uint32, data: [0]}
      - {kind: buf, dtype: int32, data: [0]}
    expect:
      1: [2147487913]
      2: [6]
---*/
extern "C" __global__ void bitmap_set(const int *in, unsigned *map, int *distinct)
{
    int t = threadIdx.x;
    unsigned bit = 1u << (in[t] & 31);
    unsigned old = atomicOr(map, bit);
    if ((old & bit) == 0)
        atomicAdd(distinct, 1);
}
