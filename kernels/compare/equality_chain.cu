/*---
description: "An index found by a chain of equality tests; the first match wins."
reference: "ISO C++17, [stmt.if]"
features: [setp.eq, bra, selp]
tags: [published]
launches:
  - grid: [1, 1, 1]
    block: [8, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [0, -1, -2147483648, 7, 7, 65535, 8, 1]}
      - {kind: buf, dtype: int32, fill: 0, count: 8}
    expect:
      1: [10, 11, 12, 13, 13, 14, -1, -1]
---*/
extern "C" __global__ void equality_chain(const int *in, int *out)
{
    unsigned t = threadIdx.x;
    int a = in[t];
    int r = -1;
    if (a == 0)
        r = 10;
    else if (a == -1)
        r = 11;
    else if (a == -2147483647 - 1)
        r = 12;
    else if (a == 7)
        r = 13;
    else if (a == 65535)
        r = 14;
    out[t] = r;
}
