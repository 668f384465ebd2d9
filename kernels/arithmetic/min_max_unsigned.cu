/*---
description: "min and max of unsigned compare as unsigned numbers."
reference: "PTX ISA, Integer Arithmetic Instructions: min, max"
features: [min.u32, max.u32]
tags: [published]
covers: [min-max-signedness]
launches:
  - grid: [1, 1, 1]
    block: [8, 1, 1]
    args:
      - {kind: buf, dtype: uint32, data: [0, 1, 4294967295, 2147483648, 2147483647, 65535, 4294901760,
          123456789, 0, 1, 0, 2147483647, 2147483648, 4294967295, 65535, 123456789]}
      - {kind: buf, dtype: uint32, fill: 0, count: 16}
    expect:
      1: [0, 1, 0, 2147483647, 2147483647, 65535, 65535, 123456789, 0, 1, 4294967295, 2147483648, 2147483648,
        4294967295, 4294901760, 123456789]
---*/
extern "C" __global__ void min_max_unsigned(const unsigned *in, unsigned *out)
{
    unsigned t = threadIdx.x;
    unsigned a = in[t];
    unsigned b = in[t + 8];
    out[t] = min(a, b);
    out[t + 8] = max(a, b);
}
