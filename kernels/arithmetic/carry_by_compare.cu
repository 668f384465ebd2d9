/*---
description: "A 64-bit sum made of two words in C++: the carry is an unsigned compare."
reference: "Warren, Hacker's Delight, 2-16"
features: [add.s32, setp.lt.u32, selp]
tags: [published]
covers: [carry-chain]
launches:
  - grid: [1, 1, 1]
    block: [4, 1, 1]
    args:
      - {kind: buf, dtype: uint32, data: [4294967295, 4294967295, 0, 2147483648, 0, 4294967295, 1, 5, 1,
          4294967295, 0, 2147483648, 0, 4294967295, 2, 6]}
      - {kind: buf, dtype: uint32, fill: 0, count: 8}
    expect:
      1: [0, 4294967294, 0, 0, 1, 4294967295, 3, 12]
---*/
extern "C" __global__ void carry_by_compare(const unsigned *in, unsigned *out)
{
    unsigned t = threadIdx.x;
    unsigned al = in[t];
    unsigned ah = in[t + 4];
    unsigned bl = in[t + 8];
    unsigned bh = in[t + 12];
    unsigned lo = al + bl;
    out[t] = lo;
    out[t + 4] = ah + bh + (lo < al ? 1u : 0u);
}
