/*---
description: "&& and || look at non-zero words, & and | at bits; ! gives 0 or 1."
reference: "ISO C++17, [expr.log.and], [expr.unary.op]"
features: [setp.ne, selp, and.pred]
tags: [published]
launches:
  - grid: [1, 1, 1]
    block: [8, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [0, 2, 1, -1, -2147483648, 0, 4, 8, 0, 1, 2, 1, 2147483647, -1, 8, 8]}
      - {kind: buf, dtype: int32, fill: 0, count: 40}
    expect:
      1: [0, 1, 1, 1, 1, 0, 1, 1, 0, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 0, 8, 1, 0, 0, 0, 0, 1, 0, 0, 0,
        1, 1, 1, 1, 1, 1, 1]
---*/
extern "C" __global__ void logical_versus_bitwise(const int *in, int *out)
{
    unsigned t = threadIdx.x;
    int a = in[t];
    int b = in[t + 8];
    out[t] = (a && b) ? 1 : 0;
    out[t + 8] = (a || b) ? 1 : 0;
    out[t + 16] = a & b;
    out[t + 24] = !a;
    out[t + 32] = !!b;
}
