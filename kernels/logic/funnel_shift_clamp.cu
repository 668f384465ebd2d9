/*---
description: "Clamping funnel shifts take the count as at most 32, where one whole input word comes out."
reference: "CUDA Math API, Integer Intrinsics: __funnelshift_lc, __funnelshift_rc"
features: [shf.l.clamp.b32, shf.r.clamp.b32]
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
      1: [2596069104, 5, 1164435117, 2147483647, 1, 252645135, 3, 1431655765, 305419896, 1073741824,
        1164435117, 1, 2147483648, 4042322160, 5, 858993459]
---*/
extern "C" __global__ void funnel_shift_clamp(const unsigned *in, unsigned *out)
{
    unsigned t = threadIdx.x;
    unsigned lo = in[t];
    unsigned hi = in[t + 8];
    unsigned n = in[t + 16];
    out[t] = __funnelshift_lc(lo, hi, n);
    out[t + 8] = __funnelshift_rc(lo, hi, n);
}
