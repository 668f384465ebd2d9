/*---
description: "Q16.16 multiplication through a 64-bit product and an arithmetic shift, which rounds toward
  minus infinity."
reference: "ISO C++17, [expr.shift]"
features: [mul.wide.s32, shr.s64]
tags: [published]
covers: [mul-hi-wide]
launches:
  - grid: [1, 1, 1]
    block: [6, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [65536, 98304, -98304, -1, 2147418112, 74565, 65536, 131072, 32768, 1,
          32768, -344865]}
      - {kind: buf, dtype: int32, fill: 0, count: 6}
    expect:
      1: [65536, 196608, -49152, -1, 1073709056, -392378]
---*/
extern "C" __global__ void fixed_point_q16(const int *in, int *out)
{
    unsigned t = threadIdx.x;
    int a = in[t];
    int b = in[t + 6];
    out[t] = (int)(((long long)a * b) >> 16);
}
