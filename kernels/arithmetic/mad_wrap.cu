/*---
description: "Multiply-add wraps once at the end: a * b + c modulo 2^32."
reference: "PTX ISA, Integer Arithmetic Instructions: mad"
features: [mad.lo.s32]
tags: [published]
launches:
  - grid: [1, 1, 1]
    block: [6, 1, 1]
    args:
      - {kind: buf, dtype: uint32, data: [0, 4294967295, 65536, 2147483647, 3, 65535, 5, 4294967295, 65536, 2,
          1431655765, 65535, 4294967295, 4294967295, 7, 2, 1, 131071]}
      - {kind: buf, dtype: uint32, fill: 0, count: 12}
    expect:
      1: [4294967295, 0, 7, 0, 0, 0, 4294967295, 4294967294, 7, 4, 2, 262142]
---*/
extern "C" __global__ void mad_wrap(const unsigned *in, unsigned *out)
{
    unsigned t = threadIdx.x;
    unsigned a = in[t];
    unsigned b = in[t + 6];
    unsigned c = in[t + 12];
    out[t] = a * b + c;
    out[t + 6] = c - a * b;
}
