/*---
description: "A cubic by Horner's rule, modulo 2^32."
reference: "ISO C++17, [basic.fundamental]"
features: [mad.lo.s32]
tags: [published]
launches:
  - grid: [1, 1, 1]
    block: [8, 1, 1]
    args:
      - {kind: buf, dtype: uint32, data: [0, 1, 4294967295, 2, 1000, 2147483648, 65535, 12345]}
      - {kind: buf, dtype: uint32, fill: 0, count: 8}
    expect:
      1: [11, 16, 4294967292, 29, 2995007011, 2147483659, 1703932, 4043922528]
---*/
extern "C" __global__ void horner_wrap(const unsigned *in, unsigned *out)
{
    unsigned t = threadIdx.x;
    unsigned x = in[t];
    out[t] = ((3u * x - 5u) * x + 7u) * x + 11u;
}
