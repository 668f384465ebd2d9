/*---
description: "The inverse of an odd number modulo 2^32 by Newton steps: multiplication back must give 1."
reference: "Warren, Hacker's Delight, 10-16"
features: [mul.lo.u32, sub.s32]
tags: [published]
launches:
  - grid: [1, 1, 1]
    block: [8, 1, 1]
    args:
      - {kind: buf, dtype: uint32, data: [1, 3, 4294967295, 2147483649, 641, 2654435761, 5, 65535]}
      - {kind: buf, dtype: uint32, fill: 0, count: 16}
    expect:
      1: [1, 2863311531, 4294967295, 2147483649, 6700417, 244002641, 3435973837, 4294901759, 1, 1, 1, 1, 1, 1,
        1, 1]
---*/
extern "C" __global__ void odd_inverse(const unsigned *in, unsigned *out)
{
    unsigned t = threadIdx.x;
    unsigned a = in[t];
    unsigned x = a * 3u ^ 2u;
    x *= 2u - a * x;
    x *= 2u - a * x;
    x *= 2u - a * x;
    out[t] = x;
    out[t + 8] = x * a;
}
