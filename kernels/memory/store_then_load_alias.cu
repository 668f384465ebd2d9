/*---
description: "Two pointers to one buffer: a store through one is seen by a load through the other."
reference: "CUDA C++ Programming Guide, __restrict__"
features: [aliasing, ld after st]
tags: [published]
launches:
  - grid: [1, 1, 1]
    block: [4, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [1, 2, 3, 4, 5, 6, 7, 8]}
      - {kind: i32, value: 0}
      - {kind: buf, dtype: int32, fill: 0, count: 4}
    expect:
      0: [42, 2, 43, 4, 44, 6, 45, 8]
      2: [42, 43, 44, 45]
  - grid: [1, 1, 1]
    block: [4, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [1, 2, 3, 4, 5, 6, 7, 8]}
      - {kind: i32, value: 1}
      - {kind: buf, dtype: int32, fill: 0, count: 4}
    expect:
      0: [40, 4, 41, 6, 42, 8, 43, 10]
      2: [40, 41, 42, 43]
---*/
extern "C" __global__ void store_then_load_alias(int *data, int shift, int *out)
{
    int t = threadIdx.x;
    int *front = data + 2 * t;
    int *back = data + 2 * t + shift;
    *front = 40 + t;
    *back += 2;
    out[t] = *front;
}
