/*---
description: "A bitwise select with a mask made of a comparison, and one given bit by bit."
reference: "Warren, Hacker's Delight, 2-20"
features: [and.b32, xor.b32, selp]
tags: [published]
launches:
  - grid: [1, 1, 1]
    block: [4, 1, 1]
    args:
      - {kind: buf, dtype: uint32, data: [0, 4294967295, 305419896, 5, 4294967295, 0, 2596069104, 7, 65535,
          4294967295, 4042322160, 0]}
      - {kind: buf, dtype: uint32, fill: 0, count: 8}
    expect:
      1: [4294901760, 4294967295, 440163952, 7, 0, 0, 305419896, 5]
---*/
extern "C" __global__ void select_by_mask(const unsigned *in, unsigned *out)
{
    unsigned t = threadIdx.x;
    unsigned a = in[t];
    unsigned b = in[t + 4];
    unsigned m = in[t + 8];
    out[t] = ((a ^ b) & m) ^ b;
    out[t + 4] = b ^ ((a ^ b) & (0u - (unsigned)(a < b)));
}
