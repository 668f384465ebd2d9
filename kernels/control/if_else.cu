/*---
description: "Both sides of a divergent if run, each for its own lanes."
reference: "ISO C++17, [stmt.if]"
features: [bra, setp]
tags: [published]
launches:
  - grid: [1, 1, 1]
    block: [8, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [0, 1, -1, 2, -2147483648, 2147483647, 10, -10]}
      - {kind: buf, dtype: uint32, fill: 0, count: 8}
    expect:
      1: [7, 3, 8, 6, 2147483655, 2147483645, 30, 17]
---*/
extern "C" __global__ void if_else(const int *in, unsigned *out)
{
    unsigned t = threadIdx.x;
    int a = in[t];
    unsigned r;
    if (a > 0)
        r = (unsigned)a * 3u;
    else
        r = 7u - (unsigned)a;
    out[t] = r;
}
