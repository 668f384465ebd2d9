/*---
description: "Multiplication by constants, which compilers turn into shifts and adds, wraps like any other."
reference: "PTX ISA, Integer Arithmetic Instructions: mul"
features: [mul.lo.s32, shl.b32, sub.s32]
tags: [published]
launches:
  - grid: [1, 1, 1]
    block: [8, 1, 1]
    args:
      - {kind: buf, dtype: uint32, data: [0, 1, 4294967295, 2147483648, 2147483647, 65535, 1431655766,
          1000003]}
      - {kind: buf, dtype: uint32, fill: 0, count: 48}
    expect:
      1: [0, 3, 4294967293, 2147483648, 2147483645, 196605, 2, 3000009, 0, 7, 4294967289, 2147483648,
        2147483641, 458745, 1431655770, 7000021, 0, 8, 4294967288, 0, 4294967288, 524280, 2863311536, 8000024,
        0, 10, 4294967286, 0, 4294967286, 655350, 1431655772, 10000030, 0, 65537, 4294901759, 2147483648,
        2147418111, 4294967295, 2863355222, 1112687171, 0, 4294967295, 1, 2147483648, 2147483649, 4294901761,
        2863311530, 4293967293]
---*/
extern "C" __global__ void mul_by_constants(const unsigned *in, unsigned *out)
{
    unsigned t = threadIdx.x;
    unsigned a = in[t];
    out[t] = a * 3u;
    out[t + 8] = a * 7u;
    out[t + 16] = a * 8u;
    out[t + 24] = a * 10u;
    out[t + 32] = a * 0x10001u;
    out[t + 40] = a * 0xffffffffu;
}
