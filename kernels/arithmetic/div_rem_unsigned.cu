/*---
description: "Unsigned quotient and remainder with the top bit set in dividend, divisor or both."
reference: "PTX ISA, Integer Arithmetic Instructions: div, rem"
features: [div.u32, rem.u32]
tags: [published]
covers: [div-rem-edge]
launches:
  - grid: [1, 1, 1]
    block: [8, 1, 1]
    args:
      - {kind: buf, dtype: uint32, data: [4294967295, 4294967295, 2147483648, 2147483647, 5, 0, 4294967294,
          3000000000, 1, 4294967295, 3, 2147483648, 7, 4294967295, 4294967295, 65537]}
      - {kind: buf, dtype: uint32, fill: 0, count: 16}
    expect:
      1: [4294967295, 1, 715827882, 0, 0, 0, 0, 45775, 0, 0, 2, 2147483647, 5, 0, 4294967294, 43825]
---*/
extern "C" __global__ void div_rem_unsigned(const unsigned *in, unsigned *out)
{
    unsigned t = threadIdx.x;
    unsigned a = in[t];
    unsigned b = in[t + 8];
    out[t] = a / b;
    out[t + 8] = a % b;
}
