/*---
description: "32-bit unsigned subtraction wraps below zero, in both operand orders."
reference: "PTX ISA, Integer Arithmetic Instructions: sub"
features: [sub.s32]
tags: [published]
launches:
  - grid: [1, 1, 1]
    block: [8, 1, 1]
    args:
      - {kind: buf, dtype: uint32, data: [0, 0, 1, 2147483648, 2147483647, 5, 65535, 4294967295, 0, 1, 2,
          2147483647, 2147483648, 5, 65536, 2147483648]}
      - {kind: buf, dtype: uint32, fill: 0, count: 16}
    expect:
      1: [0, 4294967295, 4294967295, 1, 4294967295, 0, 4294967295, 2147483647, 0, 1, 1, 4294967295, 1, 0, 1,
        2147483649]
---*/
extern "C" __global__ void sub_wrap(const unsigned *in, unsigned *out)
{
    unsigned t = threadIdx.x;
    unsigned a = in[t];
    unsigned b = in[t + 8];
    out[t] = a - b;
    out[t + 8] = b - a;
}
