/*---
description: "Marsaglia's 32-bit xorshift generator, each lane from its own seed."
reference: "Marsaglia, Journal of Statistical Software 8(14), 2003"
features: [shl, shr.u32, xor, loop]
tags: [published, algorithm]
launches:
  - grid: [1, 1, 1]
    block: [8, 1, 1]
    args:
      - {kind: buf, dtype: uint32, data: [1, 2, 2463534242, 4294967295, 2147483648, 77, 99999, 314159265]}
      - {kind: buf, dtype: uint32, fill: 0, count: 8}
      - {kind: i32, value: 10}
    expect:
      1: [2916098932, 1384496955, 2653896249, 1700793103, 4216361759, 420264060, 2719347724, 2271976414]
---*/
extern "C" __global__ void xorshift32(const unsigned *seed, unsigned *out, int rounds)
{
    unsigned x = seed[threadIdx.x];
    for (int k = 0; k < rounds; ++k) {
        x ^= x << 13;
        x ^= x >> 17;
        x ^= x << 5;
    }
    out[threadIdx.x] = x;
}
