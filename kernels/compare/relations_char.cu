/*---
description: "All six relations of signed char and of unsigned char made of the same words."
reference: "ISO C++17, [expr.rel], [conv.prom]"
features: [cvt.s8, setp]
tags: [published]
covers: [narrow-load-stale-bits]
launches:
  - grid: [1, 1, 1]
    block: [6, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [0, 128, 127, -1, 256, 4736, 255, 127, 128, 1, 0, 22144]}
      - {kind: buf, dtype: int32, fill: 0, count: 12}
    expect:
      1: [50, 14, 50, 14, 41, 41, 14, 50, 14, 50, 41, 41]
---*/
extern "C" __global__ void relations_char(const int *in, int *out)
{
    unsigned t = threadIdx.x;
    int a = in[t];
    int b = in[t + 6];
    signed char p = (signed char)a;
    signed char q = (signed char)b;
    unsigned char x = (unsigned char)a;
    unsigned char y = (unsigned char)b;
    out[t] = ((p == q) << 0) | ((p != q) << 1) | ((p < q) << 2) | ((p <= q) << 3) | ((p > q) << 4) | ((p >= q) << 5);
    out[t + 6] = ((x == y) << 0) | ((x != y) << 1) | ((x < y) << 2) | ((x <= y) << 3) | ((x > y) << 4) | ((x >= y) << 5);
}
