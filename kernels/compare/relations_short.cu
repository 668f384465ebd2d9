/*---
description: "All six relations of short and of unsigned short made of the same words; the upper halves do not
  count."
reference: "ISO C++17, [expr.rel], [conv.prom]"
features: [setp.s16, setp.u16, cvt]
tags: [published]
covers: [narrow-load-stale-bits]
launches:
  - grid: [1, 1, 1]
    block: [6, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [0, 32768, 32767, -1, 65536, 305430528, 65535, 32767, 32768, 1, 0,
          1450737664]}
      - {kind: buf, dtype: int32, fill: 0, count: 12}
    expect:
      1: [50, 14, 50, 14, 41, 41, 14, 50, 14, 50, 41, 41]
---*/
extern "C" __global__ void relations_short(const int *in, int *out)
{
    unsigned t = threadIdx.x;
    int a = in[t];
    int b = in[t + 6];
    short p = (short)a;
    short q = (short)b;
    unsigned short x = (unsigned short)a;
    unsigned short y = (unsigned short)b;
    out[t] = ((p == q) << 0) | ((p != q) << 1) | ((p < q) << 2) | ((p <= q) << 3) | ((p > q) << 4) | ((p >= q) << 5);
    out[t + 6] = ((x == y) << 0) | ((x != y) << 1) | ((x < y) << 2) | ((x <= y) << 3) | ((x > y) << 4) | ((x >= y) << 5);
}
