/*---
description: "The mean of two words without a wider type: shared bits plus half of the differing ones."
reference: "Warren, Hacker's Delight, 2-5"
features: [and.b32, xor.b32, shr.u32]
tags: [published]
launches:
  - grid: [1, 1, 1]
    block: [6, 1, 1]
    args:
      - {kind: buf, dtype: uint32, data: [4294967295, 4294967295, 2147483648, 1, 7, 0, 4294967295, 1,
          2147483647, 2, 8, 0]}
      - {kind: buf, dtype: uint32, fill: 0, count: 12}
    expect:
      1: [4294967295, 2147483648, 2147483647, 1, 7, 0, 4294967295, 2147483648, 2147483648, 2, 8, 0]
---*/
extern "C" __global__ void average_no_overflow(const unsigned *in, unsigned *out)
{
    unsigned t = threadIdx.x;
    unsigned a = in[t];
    unsigned b = in[t + 6];
    out[t] = (a & b) + ((a ^ b) >> 1);
    out[t + 6] = (a | b) - ((a ^ b) >> 1);
}
