/*---
description: "The period of an 8-bit Galois shift register, counted from different states."
reference: "Knuth, TAOCP vol. 2, 3.2.2"
features: [xor.b32, shr.u32, selp, loop]
tags: [published]
launches:
  - grid: [1, 1, 1]
    block: [4, 1, 1]
    args:
      - {kind: buf, dtype: uint32, data: [1, 128, 255, 29]}
      - {kind: buf, dtype: uint32, fill: 0, count: 4}
    expect:
      1: [255, 255, 255, 255]
---*/
extern "C" __global__ void lfsr_period(const unsigned *in, unsigned *out)
{
    unsigned t = threadIdx.x;
    unsigned x = in[t];
    unsigned y = x;
    unsigned n = 0;
    #pragma unroll 1
    do {
        y = (y >> 1) ^ ((y & 1u) ? 0xb8u : 0u);
        ++n;
    } while (y != x);
    out[t] = n;
}
