/*---
description: "Isolate, clear, fill below and fill above the lowest set bit, zero included."
reference: "Warren, Hacker's Delight, 2-1"
features: [and.b32, or.b32, xor.b32, neg.s32]
tags: [published]
launches:
  - grid: [1, 1, 1]
    block: [8, 1, 1]
    args:
      - {kind: buf, dtype: uint32, data: [0, 1, 2147483648, 4294967295, 240, 2147483646, 6, 268439552]}
      - {kind: buf, dtype: uint32, fill: 0, count: 40}
    expect:
      1: [0, 1, 2147483648, 1, 16, 2, 2, 4096, 0, 0, 0, 4294967294, 224, 2147483644, 4, 268435456, 4294967295,
        1, 4294967295, 4294967295, 255, 2147483647, 7, 268443647, 4294967295, 1, 4294967295, 1, 31, 3, 3,
        8191, 1, 2, 1, 0, 1, 1, 1, 1]
---*/
extern "C" __global__ void lowest_bit_tricks(const unsigned *in, unsigned *out)
{
    unsigned t = threadIdx.x;
    unsigned a = in[t];
    out[t] = a & (0u - a);
    out[t + 8] = a & (a - 1u);
    out[t + 16] = a | (a - 1u);
    out[t + 24] = a ^ (a - 1u);
    out[t + 32] = ~a & (a + 1u);
}
