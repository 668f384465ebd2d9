/*---
description: "Negation of an unsigned word is subtraction from zero; 0 and 0x80000000 are their own
  negatives."
reference: "ISO C++17, [expr.unary.op]"
features: [neg.s32, sub.s32]
tags: [published]
covers: [int-min-abs-neg]
launches:
  - grid: [1, 1, 1]
    block: [8, 1, 1]
    args:
      - {kind: buf, dtype: uint32, data: [0, 1, 4294967295, 2147483648, 2147483647, 2147483649, 65535, 42]}
      - {kind: buf, dtype: uint32, fill: 0, count: 24}
    expect:
      1: [0, 4294967295, 1, 2147483648, 2147483649, 2147483647, 4294901761, 4294967254, 0, 4294967295, 1,
        2147483648, 2147483649, 2147483647, 4294901761, 4294967254, 0, 4294967295, 1, 2147483648, 2147483649,
        2147483647, 4294901761, 4294967254]
---*/
extern "C" __global__ void neg_wrap(const unsigned *in, unsigned *out)
{
    unsigned t = threadIdx.x;
    unsigned a = in[t];
    out[t] = 0u - a;
    out[t + 8] = ~a + 1u;
    out[t + 16] = ~(a - 1u);
}
