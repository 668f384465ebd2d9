/*---
description: "Signed quotient and remainder for every sign pairing, beside division by 4 and a shift by 2."
reference: "https://github.com/triton-lang/triton/issues/619"
features: [div.s32, rem.s32, shr.s32, negative operands]
tags: [bug, published]
covers: [div-rem-edge]
launches:
  - grid: [1, 1, 1]
    block: [8, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [7, -7, 7, -7, -1, -8, -2147483648, 2147483647, 2, 2, -2, -2, 5, 3, 3,
          -10]}
      - {kind: buf, dtype: int32, fill: 0, count: 32}
    expect:
      1: [3, -3, -3, 3, 0, -2, -715827882, -214748364, 1, -1, 1, -1, -1, -2, -2, 7, 1, -1, 1, -1, 0, -2,
        -536870912, 536870911, 1, -2, 1, -2, -1, -2, -536870912, 536870911]
---*/
extern "C" __global__ void trunc_div_mod(const int *in, int *out)
{
    unsigned t = threadIdx.x;
    int num = in[t];
    int den = in[t + 8];
    out[t] = num / den;
    out[t + 8] = num % den;
    out[t + 16] = num / 4;
    out[t + 24] = num >> 2;
}
