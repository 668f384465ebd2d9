/*---
description: "Parity by folding, next to the low bit of the population count."
reference: "Warren, Hacker's Delight, 5-2"
features: [xor.b32, shr.u32, popc.b32]
tags: [published]
launches:
  - grid: [1, 1, 1]
    block: [8, 1, 1]
    args:
      - {kind: buf, dtype: uint32, data: [0, 1, 4294967295, 2147483648, 2147483649, 7, 2147483647, 305419896]}
      - {kind: buf, dtype: uint32, fill: 0, count: 16}
    expect:
      1: [0, 1, 0, 1, 0, 1, 1, 1, 0, 1, 0, 1, 0, 1, 1, 1]
---*/
extern "C" __global__ void parity(const unsigned *in, unsigned *out)
{
    unsigned t = threadIdx.x;
    unsigned a = in[t];
    unsigned p = a ^ (a >> 16);
    p ^= p >> 8;
    p ^= p >> 4;
    p ^= p >> 2;
    p ^= p >> 1;
    out[t] = p & 1u;
    out[t + 8] = (unsigned)__popc(a) & 1u;
}
