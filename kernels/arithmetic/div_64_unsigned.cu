/*---
description: "64-bit unsigned quotient and remainder, with divisors of one and of two words."
reference: "PTX ISA, Integer Arithmetic Instructions: div, rem"
features: [div.u64, rem.u64]
covers: [div-rem-edge]
launches:
  - grid: [1, 1, 1]
    block: [8, 1, 1]
    args:
      - {kind: buf, dtype: uint64, data: [18446744073709551615, 18446744073709551615, 9223372036854775808,
          1311768467463790320, 7, 4294967296, 0, 18446744069414584320, 1, 3, 18446744073709551615, 4294967297,
          8589934592, 4294967296, 5, 4294967295]}
      - {kind: buf, dtype: uint64, fill: 0, count: 16}
    expect:
      1: [18446744073709551615, 6148914691236517205, 0, 305419896, 0, 1, 0, 4294967296, 0, 0,
        9223372036854775808, 2290649208, 7, 0, 0, 0]
---*/
extern "C" __global__ void div_64_unsigned(const unsigned long long *in, unsigned long long *out)
{
    unsigned t = threadIdx.x;
    unsigned long long a = in[t];
    unsigned long long b = in[t + 8];
    out[t] = a / b;
    out[t + 8] = a % b;
}
