/*---
description: "An int meets an unsigned in a comparison and is converted: -1 is not below 1u."
reference: "ISO C++17, [expr.arith.conv]"
features: [setp.lt.u32, setp.gt.u32]
tags: [published]
launches:
  - grid: [1, 1, 1]
    block: [6, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [-1, 1, -2147483648, 0, 5, 2147483647, 1, -1, 5, 0, -2147483648,
          -2147483648]}
      - {kind: buf, dtype: int32, fill: 0, count: 18}
    expect:
      1: [0, 1, 0, 0, 1, 1, 1, 1, 1, 0, 1, 1, 0, 0, 1, 0, 0, 0]
---*/
extern "C" __global__ void mixed_signedness(const int *in, int *out)
{
    unsigned t = threadIdx.x;
    int a = in[t];
    int b = in[t + 6];
    out[t] = (unsigned)a < (unsigned)b;
    out[t + 6] = (long long)a < (long long)(unsigned)b;
    out[t + 12] = (unsigned short)a < (short)b;
}
