/*---
description: "All six relations of int, packed into bits 0 to 5: ==, !=, <, <=, >, >=."
reference: "ISO C++17, [expr.rel], [expr.eq]"
features: [setp.s32, selp]
tags: [published]
launches:
  - grid: [1, 1, 1]
    block: [10, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [0, 0, 1, -1, -2147483648, 2147483647, -2147483648, -1, 5, 32768, 0,
          1, 0, 0, 2147483647, -2147483648, -1, -2147483648, 5, -32768]}
      - {kind: buf, dtype: int32, fill: 0, count: 10}
    expect:
      1: [41, 14, 50, 14, 14, 50, 14, 50, 41, 50]
---*/
extern "C" __global__ void relations_int(const int *in, int *out)
{
    unsigned t = threadIdx.x;
    int a = in[t];
    int b = in[t + 10];
    out[t] = ((a == b) << 0) | ((a != b) << 1) | ((a < b) << 2) | ((a <= b) << 3) | ((a > b) << 4) | ((a >= b) << 5);
}
