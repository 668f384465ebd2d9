/*---
description: "Only the chosen operand of ?: is evaluated: each lane loads from the one buffer where its index
  exists."
reference: "ISO C++17, [expr.cond]"
features: [bra, ld.global, selp]
tags: [published]
launches:
  - grid: [1, 1, 1]
    block: [8, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [1, -2147483648, 3]}
      - {kind: buf, dtype: int32, data: [2147483647, 20, 30, -1, 50]}
      - {kind: buf, dtype: int32, fill: 0, count: 8}
      - {kind: i32, value: 3}
    expect:
      2: [1, -2147483648, 3, 2147483647, 20, 30, -1, 50]
  - grid: [1, 1, 1]
    block: [4, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [1, 2, 3, 4]}
      - {kind: buf, dtype: int32, data: [7]}
      - {kind: buf, dtype: int32, fill: 0, count: 4}
      - {kind: i32, value: 4}
    expect:
      2: [1, 2, 3, 4]
---*/
extern "C" __global__ void conditional_load(const int *low, const int *high, int *out, int n)
{
    int t = (int)threadIdx.x;
    out[t] = t < n ? low[t] : high[t - n];
}
