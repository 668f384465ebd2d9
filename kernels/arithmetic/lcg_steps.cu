/*---
description: "A 32-bit linear congruential generator stepped a lane-dependent number of times."
reference: "Knuth, TAOCP vol. 2, 3.3.4"
features: [mad.lo.s32, loop]
tags: [published]
launches:
  - grid: [1, 1, 1]
    block: [4, 1, 1]
    args:
      - {kind: buf, dtype: uint32, data: [0, 1, 4294967295, 42, 1, 0, 5, 3]}
      - {kind: buf, dtype: uint32, fill: 0, count: 4}
    expect:
      1: [1013904223, 1, 3082116262, 2479403867]
---*/
extern "C" __global__ void lcg_steps(const unsigned *in, unsigned *out)
{
    unsigned t = threadIdx.x;
    unsigned x = in[t];
    unsigned n = in[t + 4];
    #pragma unroll 1
    for (unsigned i = 0; i < n; ++i)
        x = x * 1664525u + 1013904223u;
    out[t] = x;
}
