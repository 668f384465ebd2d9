/*---
description: "Comparisons with constants at the ends of the range, which a compiler may rewrite to the other
  relation."
reference: "ISO C++17, [expr.rel]"
features: [setp.s32, setp.u32]
tags: [published]
launches:
  - grid: [1, 1, 1]
    block: [8, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [-2147483648, -2147483647, -1, 0, 1, 2147483646, 2147483647, 32768]}
      - {kind: buf, dtype: int32, fill: 0, count: 16}
    expect:
      1: [3, 11, 11, 9, 8, 8, 12, 8, 1, 1, 3, 4, 0, 0, 0, 0]
---*/
extern "C" __global__ void constants_at_limits(const int *in, int *out)
{
    unsigned t = threadIdx.x;
    int a = in[t];
    out[t] = (a < 1) | ((a <= -1) << 1) | ((a > 2147483646) << 2) | ((a >= -2147483647) << 3);
    out[t + 8] = ((unsigned)a > 0x7fffffffu) | (((unsigned)a >= 0xffffffffu) << 1) | (((unsigned)a < 1u) << 2);
}
