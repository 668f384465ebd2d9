/*---
description: "Two unsigned words multiplied as unsigned long long: the high word differs from the signed
  product."
reference: "PTX ISA, Integer Arithmetic Instructions: mul"
features: [mul.wide.u32, shr.u64]
tags: [published]
covers: [mul-hi-wide]
launches:
  - grid: [1, 1, 1]
    block: [8, 1, 1]
    args:
      - {kind: buf, dtype: uint32, data: [0, 4294967295, 4294967295, 2147483648, 2147483648, 2147483647,
          305419896, 4294967289, 4294967295, 4294967295, 1, 2147483648, 4294967295, 2147483647, 4096, 3]}
      - {kind: buf, dtype: uint32, fill: 0, count: 16}
    expect:
      1: [0, 1, 4294967295, 0, 2147483648, 1, 1164410880, 4294967275, 0, 4294967294, 0, 1073741824,
        2147483647, 1073741823, 291, 2]
---*/
extern "C" __global__ void mul_wide_unsigned(const unsigned *in, unsigned *out)
{
    unsigned t = threadIdx.x;
    unsigned a = in[t];
    unsigned b = in[t + 8];
    unsigned long long p = (unsigned long long)a * b;
    out[t] = (unsigned)p;
    out[t + 8] = (unsigned)(p >> 32);
}
