/*---
description: "Signed division by positive and negative constants rounds toward zero."
reference: "PTX ISA, Integer Arithmetic Instructions: div"
features: [mul.hi.s32, shr.s32, shr.u32]
tags: [published]
covers: [div-rem-edge, mul-hi-wide]
launches:
  - grid: [1, 1, 1]
    block: [8, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [0, 1, -1, -2147483648, 2147483647, -10, 29, -2147483647]}
      - {kind: buf, dtype: int32, fill: 0, count: 40}
    expect:
      1: [0, 0, 0, -715827882, 715827882, -3, 9, -715827882, 0, 0, 0, 715827882, -715827882, 3, -9, 715827882,
        0, 0, 0, -306783378, 306783378, -1, 4, -306783378, 0, 0, 0, 214748364, -214748364, 1, -2, 214748364,
        0, 1, -1, -8, 7, 0, 9, -7]
---*/
extern "C" __global__ void div_constants_signed(const int *in, int *out)
{
    unsigned t = threadIdx.x;
    int a = in[t];
    out[t] = a / 3;
    out[t + 8] = a / -3;
    out[t + 16] = a / 7;
    out[t + 24] = a / -10;
    out[t + 32] = a % 10;
}
