/*---
description: "Operands of different width and signedness meet in the common type: short plus unsigned is
  unsigned, char plus long long is long long."
reference: "ISO C++17, [expr.arith.conv]"
features: [cvt.s64.s32, cvt.u64.u32, add.s64]
tags: [published]
launches:
  - grid: [1, 1, 1]
    block: [6, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [-1, 127, -128, 32768, -2147483648, 255]}
      - {kind: buf, dtype: int64, fill: 0, count: 18}
    expect:
      1: [4294967294, 254, 4294967040, 0, 2147483648, 510, 4294967294, 254, 4294967040, 32768, 2147483648,
        254, 1, 16129, 16384, 0, 0, -255]
---*/
extern "C" __global__ void mixed_promotion(const int *in, long long *out)
{
    unsigned t = threadIdx.x;
    int a = in[t];
    signed char c = (signed char)a;
    short s = (short)a;
    unsigned u = (unsigned)a;
    out[t] = (long long)(s + u);
    out[t + 6] = c + (long long)u;
    out[t + 12] = (long long)(c * s);
}
