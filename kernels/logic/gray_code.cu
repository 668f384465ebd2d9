/*---
description: "Gray code and back: neighbours differ in one bit, decoding is a prefix parity."
reference: "Warren, Hacker's Delight, 13-1"
features: [xor.b32, shr.u32]
tags: [published]
launches:
  - grid: [1, 1, 1]
    block: [8, 1, 1]
    args:
      - {kind: buf, dtype: uint32, data: [0, 1, 2, 3, 2147483647, 2147483648, 4294967295, 305419896]}
      - {kind: buf, dtype: uint32, fill: 0, count: 16}
    expect:
      1: [0, 1, 3, 2, 1073741824, 3221225472, 2147483648, 456031556, 0, 1, 2, 3, 2147483647, 2147483648,
        4294967295, 305419896]
---*/
extern "C" __global__ void gray_code(const unsigned *in, unsigned *out)
{
    unsigned t = threadIdx.x;
    unsigned a = in[t];
    unsigned g = a ^ (a >> 1);
    unsigned b = g;
    b ^= b >> 16;
    b ^= b >> 8;
    b ^= b >> 4;
    b ^= b >> 2;
    b ^= b >> 1;
    out[t] = g;
    out[t + 8] = b;
}
