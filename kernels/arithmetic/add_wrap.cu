/*---
description: "32-bit unsigned addition wraps modulo 2^32."
reference: "PTX ISA, Integer Arithmetic Instructions: add"
features: [add.s32]
tags: [published]
launches:
  - grid: [1, 1, 1]
    block: [8, 1, 1]
    args:
      - {kind: buf, dtype: uint32, data: [0, 4294967295, 4294967295, 2147483648, 2147483647, 65535,
          4294901760, 3735928559, 0, 1, 4294967295, 2147483648, 1, 1, 65536, 559038737]}
      - {kind: buf, dtype: uint32, fill: 0, count: 8}
    expect:
      1: [0, 0, 4294967294, 0, 2147483648, 65536, 0, 0]
---*/
extern "C" __global__ void add_wrap(const unsigned *in, unsigned *out)
{
    unsigned t = threadIdx.x;
    unsigned a = in[t];
    unsigned b = in[t + 8];
    out[t] = a + b;
}
