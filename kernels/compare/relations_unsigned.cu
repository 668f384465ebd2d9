/*---
description: "All six relations of unsigned, packed into bits 0 to 5."
reference: "ISO C++17, [expr.rel], [expr.eq]"
features: [setp.u32, selp]
tags: [published]
launches:
  - grid: [1, 1, 1]
    block: [10, 1, 1]
    args:
      - {kind: buf, dtype: uint32, data: [0, 0, 1, 4294967295, 2147483648, 2147483647, 2147483648, 4294967295,
          5, 32768, 0, 1, 0, 0, 2147483647, 2147483648, 4294967295, 2147483648, 5, 4294934528]}
      - {kind: buf, dtype: uint32, fill: 0, count: 10}
    expect:
      1: [41, 14, 50, 50, 50, 14, 14, 50, 41, 14]
---*/
extern "C" __global__ void relations_unsigned(const unsigned *in, unsigned *out)
{
    unsigned t = threadIdx.x;
    unsigned a = in[t];
    unsigned b = in[t + 10];
    out[t] = (unsigned)(((a == b) << 0) | ((a != b) << 1) | ((a < b) << 2) | ((a <= b) << 3) | ((a > b) << 4) | ((a >= b) << 5));
}
