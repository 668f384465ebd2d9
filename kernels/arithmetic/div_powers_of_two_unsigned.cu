/*---
description: "Unsigned division and remainder by powers of two are a logical shift and a mask."
reference: "ISO C++17, [expr.mul]"
features: [shr.u32, and.b32]
tags: [published]
covers: [div-rem-edge]
launches:
  - grid: [1, 1, 1]
    block: [8, 1, 1]
    args:
      - {kind: buf, dtype: uint32, data: [0, 1, 4294967295, 2147483648, 2147483647, 31, 32, 33]}
      - {kind: buf, dtype: uint32, fill: 0, count: 40}
    expect:
      1: [0, 0, 2147483647, 1073741824, 1073741823, 15, 16, 16, 0, 0, 134217727, 67108864, 67108863, 0, 1, 1,
        0, 0, 1, 1, 0, 0, 0, 0, 0, 1, 31, 0, 31, 31, 0, 1, 0, 1, 2147483647, 0, 2147483647, 31, 32, 33]
---*/
extern "C" __global__ void div_powers_of_two_unsigned(const unsigned *in, unsigned *out)
{
    unsigned t = threadIdx.x;
    unsigned a = in[t];
    out[t] = a / 2u;
    out[t + 8] = a / 32u;
    out[t + 16] = a / 0x80000000u;
    out[t + 24] = a % 32u;
    out[t + 32] = a % 0x80000000u;
}
