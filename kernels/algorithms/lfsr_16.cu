/*---
description: "A 16-bit Fibonacci shift register with taps 16, 14, 13 and 11."
reference: "Golomb, Shift Register Sequences"
features: [shr, xor, and, loop]
tags: [published, algorithm]
launches:
  - grid: [1, 1, 1]
    block: [4, 1, 1]
    args:
      - {kind: buf, dtype: uint32, data: [44257, 1, 65535, 32768]}
      - {kind: buf, dtype: uint32, fill: 0, count: 8}
      - {kind: i32, value: 20}
    expect:
      1: [29810, 553812, 5760, 524296, 3456, 1048560, 2880, 16]
---*/
extern "C" __global__ void lfsr_16(const unsigned *seed, unsigned *out, int rounds)
{
    int t = threadIdx.x;
    unsigned s = seed[t], bits = 0;
    for (int k = 0; k < rounds; ++k) {
        bits = bits << 1 | (s & 1);
        unsigned next = (s ^ (s >> 2) ^ (s >> 3) ^ (s >> 5)) & 1;
        s = (s >> 1) | (next << 15);
    }
    out[2 * t] = s;
    out[2 * t + 1] = bits;
}
