/*---
description: "Lanes whose condition is false keep the value from before the if."
reference: "ISO C++17, [stmt.if]"
features: [bra]
tags: [published]
launches:
  - grid: [1, 1, 1]
    block: [8, 1, 1]
    args:
      - {kind: buf, dtype: uint32, data: [0, 1, 2, 3, 4294967295, 2147483648, 7, 8]}
      - {kind: buf, dtype: uint32, fill: 0, count: 8}
    expect:
      1: [0, 6, 2, 46, 6, 2147483648, 246, 8]
---*/
extern "C" __global__ void if_without_else(const unsigned *in, unsigned *out)
{
    unsigned t = threadIdx.x;
    unsigned a = in[t];
    unsigned r = a;
    if (a & 1u) {
        r *= a;
        r *= 5u;
        r += 1u;
    }
    out[t] = r;
}
