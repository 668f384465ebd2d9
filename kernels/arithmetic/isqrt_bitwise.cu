/*---
description: "Integer square root by one trial bit a round, over the whole unsigned range."
reference: "Warren, Hacker's Delight, 11-1"
features: [loop, setp.ge.u32, shr.u32]
tags: [published]
launches:
  - grid: [1, 1, 1]
    block: [8, 1, 1]
    args:
      - {kind: buf, dtype: uint32, data: [0, 1, 3, 4, 65535, 4294836225, 4294967295, 2147483648]}
      - {kind: buf, dtype: uint32, fill: 0, count: 16}
    expect:
      1: [0, 1, 1, 2, 255, 65535, 65535, 46340, 0, 0, 2, 0, 510, 0, 131070, 88048]
---*/
extern "C" __global__ void isqrt_bitwise(const unsigned *in, unsigned *out)
{
    unsigned t = threadIdx.x;
    unsigned a = in[t];
    unsigned root = 0;
    #pragma unroll 1
    for (unsigned bit = 1u << 30; bit != 0; bit >>= 2) {
        if (a >= root + bit) {
            a -= root + bit;
            root = (root >> 1) + bit;
        } else {
            root >>= 1;
        }
    }
    out[t] = root;
    out[t + 8] = a;
}
