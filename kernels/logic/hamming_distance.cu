/*---
description: "Bits in which two words differ, counted by clearing the lowest set bit; a round for each
  difference."
reference: "Warren, Hacker's Delight, 5-1"
features: [xor.b32, and.b32, loop]
tags: [published]
launches:
  - grid: [1, 1, 1]
    block: [6, 1, 1]
    args:
      - {kind: buf, dtype: uint32, data: [0, 0, 4294967295, 2147483648, 305419896, 5, 0, 4294967295,
          4294967295, 1, 2271560481, 2]}
      - {kind: buf, dtype: uint32, fill: 0, count: 6}
    expect:
      1: [0, 32, 0, 2, 14, 3]
---*/
extern "C" __global__ void hamming_distance(const unsigned *in, unsigned *out)
{
    unsigned t = threadIdx.x;
    unsigned a = in[t];
    unsigned b = in[t + 6];
    unsigned diff = a ^ b;
    unsigned count = 0;
    #pragma unroll 1
    while (diff != 0) {
        diff &= diff - 1u;
        ++count;
    }
    out[t] = count;
}
