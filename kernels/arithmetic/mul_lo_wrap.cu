/*---
description: "The low half of a 32-bit product is the same for signed and unsigned operands."
reference: "PTX ISA, Integer Arithmetic Instructions: mul"
features: [mul.lo.s32, mul.lo.u32]
tags: [published]
launches:
  - grid: [1, 1, 1]
    block: [8, 1, 1]
    args:
      - {kind: buf, dtype: uint32, data: [0, 4294967295, 4294967295, 2147483648, 65536, 65535, 2147483647,
          2654435769, 4294967295, 4294967295, 2, 2, 65536, 65535, 2147483647, 2246822507]}
      - {kind: buf, dtype: uint32, fill: 0, count: 16}
    expect:
      1: [0, 1, 4294967294, 0, 0, 4294836225, 1, 3238976083, 0, 1, 1, 0, 0, 4294836225, 1, 3814614961]
---*/
extern "C" __global__ void mul_lo_wrap(const unsigned *in, unsigned *out)
{
    unsigned t = threadIdx.x;
    unsigned a = in[t];
    unsigned b = in[t + 8];
    out[t] = a * b;
    out[t + 8] = a * a;
}
