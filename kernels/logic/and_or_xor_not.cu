/*---
description: "Bitwise and, or, exclusive or and complement on words with every sign combination."
reference: "PTX ISA, Logic and Shift Instructions: and, or, xor, not"
features: [and.b32, or.b32, xor.b32, not.b32]
tags: [published]
launches:
  - grid: [1, 1, 1]
    block: [6, 1, 1]
    args:
      - {kind: buf, dtype: uint32, data: [0, 4294967295, 2147483648, 4042322160, 1, 3735928559, 4294967295,
          4294967295, 2147483647, 4278255360, 0, 305419896]}
      - {kind: buf, dtype: uint32, fill: 0, count: 30}
    expect:
      1: [0, 4294967295, 0, 4026593280, 0, 304354920, 4294967295, 4294967295, 4294967295, 4293984240, 1,
        3736993535, 4294967295, 0, 4294967295, 267390960, 1, 3432638615, 4294967295, 0, 2147483647, 252645135,
        4294967294, 559038736, 0, 0, 2147483648, 15728880, 1, 3431573639]
---*/
extern "C" __global__ void and_or_xor_not(const unsigned *in, unsigned *out)
{
    unsigned t = threadIdx.x;
    unsigned a = in[t];
    unsigned b = in[t + 6];
    out[t] = a & b;
    out[t + 6] = a | b;
    out[t + 12] = a ^ b;
    out[t + 18] = ~a;
    out[t + 24] = a & ~b;
}
