/*---
description: "64-bit addition and subtraction carry and borrow across the word boundary and wrap modulo 2^64."
reference: "PTX ISA, Integer Arithmetic Instructions: add, sub"
features: [add.s64, sub.s64]
tags: [published]
covers: [carry-chain]
launches:
  - grid: [1, 1, 1]
    block: [8, 1, 1]
    args:
      - {kind: buf, dtype: uint64, data: [0, 1, 18446744073709551615, 9223372036854775808,
          9223372036854775807, 4294967295, 4294967296, 1311768467463790320, 0, 18446744073709551615,
          18446744073709551615, 18446744073709551615, 1, 1, 18446744069414584320, 1147797409030816545]}
      - {kind: buf, dtype: uint64, fill: 0, count: 16}
    expect:
      1: [0, 0, 18446744073709551614, 9223372036854775807, 9223372036854775808, 4294967296, 0,
        2459565876494606865, 0, 2, 0, 9223372036854775809, 9223372036854775806, 4294967294, 8589934592,
        163971058432973775]
---*/
extern "C" __global__ void add_sub_64(const unsigned long long *in, unsigned long long *out)
{
    unsigned t = threadIdx.x;
    unsigned long long a = in[t];
    unsigned long long b = in[t + 8];
    out[t] = a + b;
    out[t + 8] = a - b;
}
