/*---
description: "Funnel shifts take the count modulo 32; the low word is the first operand, the high word the
  second."
reference: "CUDA Math API, Integer Intrinsics: __funnelshift_l, __funnelshift_r"
features: [shf.l.wrap.b32, shf.r.wrap.b32]
tags: [published]
covers: [funnel-shift]
launches:
  - grid: [1, 1, 1]
    block: [8, 1, 1]
    args:
      - {kind: buf, dtype: uint32, data: [305419896, 2147483649, 3735928559, 4294967295, 1, 252645135, 3,
          1431655765, 2596069104, 2, 19088743, 0, 2147483648, 4042322160, 5, 858993459, 0, 1, 16, 31, 32, 33,
          4294967295, 64]}
      - {kind: buf, dtype: uint32, fill: 0, count: 16}
    expect:
      1: [2596069104, 5, 1164435117, 2147483647, 2147483648, 3789677024, 2147483649, 858993459, 305419896,
        1073741824, 1164435117, 1, 1, 126322567, 10, 1431655765]
---*/
extern "C" __global__ void funnel_shift_wrap(const unsigned *in, unsigned *out)
{
    unsigned t = threadIdx.x;
    unsigned lo = in[t];
    unsigned hi = in[t + 8];
    unsigned n = in[t + 16];
    out[t] = __funnelshift_l(lo, hi, n);
    out[t + 8] = __funnelshift_r(lo, hi, n);
}
