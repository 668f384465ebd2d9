/*---
description: "A guard keeps the zero divisor away from the division: only the guarded lanes take the other
  value."
reference: "ISO C++17, [expr.cond]"
features: [div.s32, setp, bra]
tags: [published]
covers: [div-rem-edge]
launches:
  - grid: [1, 1, 1]
    block: [8, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [9, -9, 0, -2147483648, 2147483647, 1, -1, 100, 0, 4, 0, 3, -7, 0, -2,
          10]}
      - {kind: buf, dtype: int32, fill: 0, count: 16}
    expect:
      1: [-99, -2, -99, -715827882, -306783378, -99, 0, 10, 9, -1, 0, -2, 1, 1, -1, 0]
---*/
extern "C" __global__ void div_guarded_zero(const int *in, int *out)
{
    unsigned t = threadIdx.x;
    int a = in[t];
    int b = in[t + 8];
    out[t] = b != 0 ? a / b : -99;
    out[t + 8] = b != 0 ? a % b : a;
}
