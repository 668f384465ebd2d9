/*---
description: "Test for powers of two, and rounding up to the next one with wrap to zero above 2^31."
reference: "Warren, Hacker's Delight, 3-2"
features: [or.b32, shr.u32, setp.eq]
tags: [published]
launches:
  - grid: [1, 1, 1]
    block: [8, 1, 1]
    args:
      - {kind: buf, dtype: uint32, data: [0, 1, 2, 3, 2147483648, 2147483649, 1073741825, 65536]}
      - {kind: buf, dtype: uint32, fill: 0, count: 16}
    expect:
      1: [0, 1, 1, 0, 1, 0, 0, 1, 0, 1, 2, 4, 2147483648, 0, 2147483648, 65536]
---*/
extern "C" __global__ void power_of_two_round_up(const unsigned *in, unsigned *out)
{
    unsigned t = threadIdx.x;
    unsigned a = in[t];
    unsigned v = a - 1u;
    v |= v >> 1;
    v |= v >> 2;
    v |= v >> 4;
    v |= v >> 8;
    v |= v >> 16;
    out[t] = a != 0 && (a & (a - 1u)) == 0 ? 1u : 0u;
    out[t + 8] = v + 1u;
}
