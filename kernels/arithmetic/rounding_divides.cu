/*---
description: "Division rounded up, and to nearest with halves up, for unsigned operands."
reference: "Warren, Hacker's Delight, 9-1"
features: [div.u32, rem.u32]
tags: [published]
launches:
  - grid: [1, 1, 1]
    block: [8, 1, 1]
    args:
      - {kind: buf, dtype: uint32, data: [0, 1, 7, 8, 9, 4294967295, 10, 2147483648, 3, 3, 8, 8, 8, 2, 4,
          4294967295]}
      - {kind: buf, dtype: uint32, fill: 0, count: 16}
    expect:
      1: [0, 1, 1, 1, 2, 2147483648, 3, 1, 0, 0, 1, 1, 1, 2147483648, 3, 1]
---*/
extern "C" __global__ void rounding_divides(const unsigned *in, unsigned *out)
{
    unsigned t = threadIdx.x;
    unsigned a = in[t];
    unsigned b = in[t + 8];
    out[t] = a / b + (a % b != 0 ? 1u : 0u);
    out[t + 8] = a / b + (a % b >= b - b / 2u ? 1u : 0u);
}
