/*---
description: "The next larger word with equally many bits, by a division by the lowest bit."
reference: "Warren, Hacker's Delight, 2-1"
features: [div.u32, and.b32, xor.b32]
tags: [published]
launches:
  - grid: [1, 1, 1]
    block: [6, 1, 1]
    args:
      - {kind: buf, dtype: uint32, data: [1, 3, 6, 85, 112, 65280]}
      - {kind: buf, dtype: uint32, fill: 0, count: 6}
    expect:
      1: [2, 5, 9, 86, 131, 65663]
---*/
extern "C" __global__ void next_same_popcount(const unsigned *in, unsigned *out)
{
    unsigned t = threadIdx.x;
    unsigned a = in[t];
    unsigned s = a & (0u - a);
    unsigned r = a + s;
    out[t] = r | (((a ^ r) >> 2) / s);
}
