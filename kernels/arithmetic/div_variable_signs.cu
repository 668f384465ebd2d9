/*---
description: "Signed division by a run-time divisor of either sign, INT_MIN by 1, 2 and INT_MIN among them."
reference: "PTX ISA, Integer Arithmetic Instructions: div, rem"
features: [div.s32, rem.s32]
tags: [published]
covers: [div-rem-edge]
launches:
  - grid: [1, 1, 1]
    block: [8, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [-2147483648, -2147483648, -2147483648, 2147483647, 2147483647, -1, 1,
          0, 1, 2, -2147483648, -2147483648, -1, -2147483648, 2147483647, -5]}
      - {kind: buf, dtype: int32, fill: 0, count: 16}
    expect:
      1: [-2147483648, -1073741824, 1, 0, -2147483647, 0, 0, 0, 0, 0, 0, 2147483647, 0, -1, 1, 0]
---*/
extern "C" __global__ void div_variable_signs(const int *in, int *out)
{
    unsigned t = threadIdx.x;
    int a = in[t];
    int b = in[t + 8];
    out[t] = a / b;
    out[t + 8] = a % b;
}
