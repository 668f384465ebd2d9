/*---
description: "Clamping to a range by min and max, signed, with limits at the ends of the type."
reference: "PTX ISA, Integer Arithmetic Instructions: min, max"
features: [min.s32, max.s32]
tags: [published]
covers: [min-max-signedness]
launches:
  - grid: [1, 1, 1]
    block: [6, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [0, -2147483648, 2147483647, -5, 300, 17, -1, -2147483648, 0, 0, 0,
          17, 1, 2147483647, 255, 255, 255, 17]}
      - {kind: buf, dtype: int32, fill: 0, count: 12}
    expect:
      1: [0, -2147483648, 255, 0, 255, 17, 0, -2147483648, 255, 0, 255, 17]
---*/
extern "C" __global__ void clamp_signed(const int *in, int *out)
{
    unsigned t = threadIdx.x;
    int a = in[t];
    int lo = in[t + 6];
    int hi = in[t + 12];
    out[t] = min(max(a, lo), hi);
    out[t + 6] = a < lo ? lo : a > hi ? hi : a;
}
