/*---
description: "Signed multiply-high against the unsigned one: they differ by the operand whose partner is
  negative."
reference: "CUDA Math API, Integer Intrinsics: __mulhi, __umulhi"
features: [mul.hi.s32, mul.hi.u32]
tags: [published]
covers: [mul-hi-wide]
launches:
  - grid: [1, 1, 1]
    block: [8, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [0, -1, -1, -2147483648, -2147483648, 2147483647, 305419896, -7, -1,
          -1, 1, -2147483648, -1, 2147483647, 4096, 3]}
      - {kind: buf, dtype: int32, fill: 0, count: 24}
    expect:
      1: [0, 0, -1, 1073741824, 0, 1073741823, 291, -1, 0, -2, 0, 1073741824, 2147483647, 1073741823, 291, 2,
        0, 0, -1, 1073741824, 0, 1073741823, 291, -1]
---*/
extern "C" __global__ void mulhi_mixed_sign(const int *in, int *out)
{
    unsigned t = threadIdx.x;
    int a = in[t];
    int b = in[t + 8];
    out[t] = __mulhi(a, b);
    out[t + 8] = (int)__umulhi((unsigned)a, (unsigned)b);
    out[t + 16] = (int)(__umulhi((unsigned)a, (unsigned)b) - (a < 0 ? (unsigned)b : 0u) - (b < 0 ? (unsigned)a : 0u));
}
