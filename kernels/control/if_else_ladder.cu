/*---
description: "A ladder of eight exclusive tests, one lane a rung."
reference: "ISO C++17, [stmt.if]"
features: [bra, setp]
tags: [published]
launches:
  - grid: [1, 1, 1]
    block: [8, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [-100, -1, 0, 9, 99, 999, 9999, 2147483647]}
      - {kind: buf, dtype: int32, fill: 0, count: 8}
    expect:
      1: [1, 2, 4, 8, 16, 32, 64, 128]
---*/
extern "C" __global__ void if_else_ladder(const int *in, int *out)
{
    unsigned t = threadIdx.x;
    int a = in[t];
    int r = 128;
    if (a < -10)
        r = 1;
    else if (a < 0)
        r = 2;
    else if (a < 1)
        r = 4;
    else if (a < 10)
        r = 8;
    else if (a < 100)
        r = 16;
    else if (a < 1000)
        r = 32;
    else if (a < 10000)
        r = 64;
    out[t] = r;
}
