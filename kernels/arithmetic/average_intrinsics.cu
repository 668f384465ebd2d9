/*---
description: "Halving adds do not overflow: rounded down or up, signed or unsigned."
reference: "CUDA Math API, Integer Intrinsics: __hadd, __rhadd, __uhadd, __urhadd"
features: [shr.s32, and.b32, xor.b32]
launches:
  - grid: [1, 1, 1]
    block: [6, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [2147483647, -2147483648, -1, 1, 2147483647, -3, 2147483647,
          -2147483648, 0, 2, -2147483648, -4]}
      - {kind: buf, dtype: int32, fill: 0, count: 24}
    expect:
      1: [2147483647, -2147483648, -1, 1, -1, -4, 2147483647, -2147483648, 0, 2, 0, -3, 2147483647,
        -2147483648, 2147483647, 1, 2147483647, -4, 2147483647, -2147483648, -2147483648, 2, -2147483648, -3]
---*/
extern "C" __global__ void average_intrinsics(const int *in, int *out)
{
    unsigned t = threadIdx.x;
    int a = in[t];
    int b = in[t + 6];
    out[t] = __hadd(a, b);
    out[t + 6] = __rhadd(a, b);
    out[t + 12] = (int)__uhadd((unsigned)a, (unsigned)b);
    out[t + 18] = (int)__urhadd((unsigned)a, (unsigned)b);
}
