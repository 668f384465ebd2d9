/*---
description: "Decimal digits by repeated division by ten; the number of rounds differs by lane."
reference: "ISO C++17, [expr.mul]"
features: [div.u32, rem.u32, loop]
tags: [published]
launches:
  - grid: [1, 1, 1]
    block: [8, 1, 1]
    args:
      - {kind: buf, dtype: uint32, data: [0, 9, 10, 4294967295, 999999999, 1000000000, 2147483648, 65535]}
      - {kind: buf, dtype: uint32, fill: 0, count: 16}
    expect:
      1: [0, 9, 1, 57, 81, 1, 47, 24, 0, 1, 2, 10, 9, 10, 10, 5]
---*/
extern "C" __global__ void decimal_digit_sum(const unsigned *in, unsigned *out)
{
    unsigned t = threadIdx.x;
    unsigned x = in[t];
    unsigned sum = 0;
    unsigned digits = 0;
    #pragma unroll 1
    while (x != 0) {
        sum += x % 10u;
        x /= 10u;
        ++digits;
    }
    out[t] = sum;
    out[t + 8] = digits;
}
