/*---
description: "Set, clear, toggle and test one bit by number, bit 31 included."
reference: "ISO C++17, [expr.shift]"
features: [shl.b32, and.b32, or.b32, xor.b32]
tags: [published]
launches:
  - grid: [1, 1, 1]
    block: [4, 1, 1]
    args:
      - {kind: buf, dtype: uint32, data: [0, 4294967295, 2147483648, 305419896, 31, 31, 0, 13]}
      - {kind: buf, dtype: uint32, fill: 0, count: 16}
    expect:
      1: [2147483648, 4294967295, 2147483649, 305428088, 0, 2147483647, 2147483648, 305419896, 2147483648,
        2147483647, 2147483649, 305428088, 0, 1, 0, 0]
---*/
extern "C" __global__ void set_clear_test_bit(const unsigned *in, unsigned *out)
{
    unsigned t = threadIdx.x;
    unsigned a = in[t];
    unsigned n = in[t + 4];
    out[t] = a | (1u << n);
    out[t + 4] = a & ~(1u << n);
    out[t + 8] = a ^ (1u << n);
    out[t + 12] = (a >> n) & 1u;
}
