/*---
description: "Population count by adding neighbouring fields, without the instruction."
reference: "Warren, Hacker's Delight, 5-1"
features: [and.b32, shr.u32, mul.lo.s32]
tags: [published]
launches:
  - grid: [1, 1, 1]
    block: [8, 1, 1]
    args:
      - {kind: buf, dtype: uint32, data: [0, 1, 4294967295, 2147483648, 1431655765, 4294901760, 2147483647,
          3735928559]}
      - {kind: buf, dtype: uint32, fill: 0, count: 8}
    expect:
      1: [0, 1, 32, 1, 16, 16, 31, 24]
---*/
extern "C" __global__ void popcount_swar(const unsigned *in, unsigned *out)
{
    unsigned t = threadIdx.x;
    unsigned a = in[t];
    unsigned v = a - ((a >> 1) & 0x55555555u);
    v = (v & 0x33333333u) + ((v >> 2) & 0x33333333u);
    v = (v + (v >> 4)) & 0x0f0f0f0fu;
    out[t] = (v * 0x01010101u) >> 24;
}
