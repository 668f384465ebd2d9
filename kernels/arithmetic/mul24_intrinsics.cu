/*---
description: "__mul24 and __umul24 use the low 24 bits of each operand, sign-extended or not, and give the low
  word."
reference: "CUDA Math API, Integer Intrinsics: __mul24, __umul24"
features: [mul24.lo.s32, mul24.lo.u32]
launches:
  - grid: [1, 1, 1]
    block: [8, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [0, 8388607, 8388608, 16777215, -1, 16777219, -2147483648, 11259375,
          5, 2, 2, 16777215, -1, 33554437, -1, 291]}
      - {kind: buf, dtype: int32, fill: 0, count: 16}
    expect:
      1: [0, 16777214, -16777216, 1, 1, 15, 0, -1605691731, 0, 16777214, 16777216, -33554431, -33554431, 15,
        0, -1018489171]
---*/
extern "C" __global__ void mul24_intrinsics(const int *in, int *out)
{
    unsigned t = threadIdx.x;
    int a = in[t];
    int b = in[t + 8];
    out[t] = __mul24(a, b);
    out[t + 8] = (int)__umul24((unsigned)a, (unsigned)b);
}
