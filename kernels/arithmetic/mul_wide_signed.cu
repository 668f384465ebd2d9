/*---
description: "Two ints multiplied as long long: the full signed 64-bit product, stored as two words."
reference: "PTX ISA, Integer Arithmetic Instructions: mul"
features: [mul.wide.s32, shr.u64]
tags: [published]
covers: [mul-hi-wide]
launches:
  - grid: [1, 1, 1]
    block: [8, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [0, -1, -1, -2147483648, -2147483648, 2147483647, 305419896, -7, -1,
          -1, 1, -2147483648, -1, 2147483647, 4096, 3]}
      - {kind: buf, dtype: uint32, fill: 0, count: 16}
    expect:
      1: [0, 1, 4294967295, 0, 2147483648, 1, 1164410880, 4294967275, 0, 0, 4294967295, 1073741824, 0,
        1073741823, 291, 4294967295]
---*/
extern "C" __global__ void mul_wide_signed(const int *in, unsigned *out)
{
    unsigned t = threadIdx.x;
    int a = in[t];
    int b = in[t + 8];
    unsigned long long p = (unsigned long long)((long long)a * b);
    out[t] = (unsigned)p;
    out[t + 8] = (unsigned)(p >> 32);
}
