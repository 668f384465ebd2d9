/*---
description: "Chained conditional expressions bind to the right."
reference: "ISO C++17, [expr.cond]"
features: [setp, selp]
tags: [published]
launches:
  - grid: [1, 1, 1]
    block: [8, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [0, 1, -1, 50, 100, -2147483648, 2147483647, 99]}
      - {kind: buf, dtype: int32, fill: 0, count: 16}
    expect:
      1: [0, 0, -1, 1, 2, -1, 2, 1, 5, 4, 3, 6, 6, 6, 4, 4]
---*/
extern "C" __global__ void nested_selects(const int *in, int *out)
{
    unsigned t = threadIdx.x;
    int a = in[t];
    out[t] = a < 0 ? -1 : a < 50 ? 0 : a < 100 ? 1 : 2;
    out[t + 8] = (a & 1) ? (a < 0 ? 3 : 4) : (a == 0 ? 5 : 6);
}
