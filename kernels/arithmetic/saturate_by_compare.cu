/*---
description: "Saturating addition written with a wide sum and two clamps, signed and unsigned."
reference: "ISO C++17, [expr.add]"
features: [add.s64, min.s64, max.s64, setp.u32]
tags: [published]
covers: [saturating-add]
launches:
  - grid: [1, 1, 1]
    block: [8, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [2147483647, -2147483648, 2147483647, -2147483648, 0, -1, 5,
          2147483647, 1, -1, 2147483647, -2147483648, -2147483648, -2147483648, -9, -1]}
      - {kind: buf, dtype: int32, fill: 0, count: 16}
    expect:
      1: [2147483647, -2147483648, 2147483647, -2147483648, -2147483648, -2147483648, -4, 2147483646,
        -2147483648, -1, -2, -1, -2147483648, -1, -4, -1]
---*/
extern "C" __global__ void saturate_by_compare(const int *in, int *out)
{
    unsigned t = threadIdx.x;
    int a = in[t];
    int b = in[t + 8];
    long long wide = (long long)a + b;
    unsigned usum = (unsigned)a + (unsigned)b;
    out[t] = wide > 2147483647 ? 2147483647 : wide < -2147483647LL - 1 ? -2147483647 - 1 : (int)wide;
    out[t + 8] = (int)(usum < (unsigned)a ? 0xffffffffu : usum);
}
