/*---
description: "Unsigned division by constants, which compilers turn into a multiply-high and shifts."
reference: "PTX ISA, Integer Arithmetic Instructions: div"
features: [mul.hi.u32, shr.u32]
tags: [published]
covers: [div-rem-edge, mul-hi-wide]
launches:
  - grid: [1, 1, 1]
    block: [8, 1, 1]
    args:
      - {kind: buf, dtype: uint32, data: [0, 2, 4294967295, 2147483648, 2147483647, 699, 4294967289,
          4294967294]}
      - {kind: buf, dtype: uint32, fill: 0, count: 48}
    expect:
      1: [0, 0, 1431655765, 715827882, 715827882, 233, 1431655763, 1431655764, 0, 0, 613566756, 306783378,
        306783378, 99, 613566755, 613566756, 0, 0, 429496729, 214748364, 214748364, 69, 429496728, 429496729,
        0, 0, 6700416, 3350208, 3350208, 1, 6700416, 6700416, 0, 0, 1, 0, 0, 0, 1, 1, 0, 2, 3, 2, 1, 6, 4, 2]
---*/
extern "C" __global__ void div_constants_unsigned(const unsigned *in, unsigned *out)
{
    unsigned t = threadIdx.x;
    unsigned a = in[t];
    out[t] = a / 3u;
    out[t + 8] = a / 7u;
    out[t + 16] = a / 10u;
    out[t + 24] = a / 641u;
    out[t + 32] = a / 0x80000001u;
    out[t + 40] = a % 7u;
}
