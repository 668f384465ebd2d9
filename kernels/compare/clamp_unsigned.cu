/*---
description: "Clamping of unsigned values: what looks negative is large."
reference: "PTX ISA, Integer Arithmetic Instructions: min, max"
features: [min.u32, max.u32]
tags: [published]
covers: [min-max-signedness]
launches:
  - grid: [1, 1, 1]
    block: [6, 1, 1]
    args:
      - {kind: buf, dtype: uint32, data: [0, 2147483648, 4294967295, 4294967291, 300, 17, 1, 0, 2147483648, 2,
          0, 17, 5, 4294967295, 4294967294, 255, 255, 17]}
      - {kind: buf, dtype: uint32, fill: 0, count: 6}
    expect:
      1: [1, 2147483648, 4294967294, 255, 255, 17]
---*/
extern "C" __global__ void clamp_unsigned(const unsigned *in, unsigned *out)
{
    unsigned t = threadIdx.x;
    unsigned a = in[t];
    unsigned lo = in[t + 6];
    unsigned hi = in[t + 12];
    out[t] = min(max(a, lo), hi);
}
