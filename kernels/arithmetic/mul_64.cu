/*---
description: "The low 64 bits of a 64-bit product, built from three 32-bit products."
reference: "PTX ISA, Integer Arithmetic Instructions: mul"
features: [mul.lo.s64]
launches:
  - grid: [1, 1, 1]
    block: [8, 1, 1]
    args:
      - {kind: buf, dtype: uint64, data: [0, 1, 18446744073709551615, 9223372036854775808,
          9223372036854775807, 4294967295, 4294967296, 1311768467463790320, 0, 18446744073709551615,
          18446744073709551615, 18446744073709551615, 1, 1, 18446744069414584320, 1147797409030816545]}
      - {kind: buf, dtype: uint64, fill: 0, count: 16}
    expect:
      1: [0, 18446744073709551615, 1, 9223372036854775808, 9223372036854775807, 4294967295, 0,
        2465395958572223728, 0, 1, 1, 0, 1, 18446744065119617025, 0, 11953125779633938688]
---*/
extern "C" __global__ void mul_64(const unsigned long long *in, unsigned long long *out)
{
    unsigned t = threadIdx.x;
    unsigned long long a = in[t];
    unsigned long long b = in[t + 8];
    out[t] = a * b;
    out[t + 8] = a * a;
}
