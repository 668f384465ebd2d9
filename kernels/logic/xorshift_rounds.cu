/*---
description: "Marsaglia's xorshift32, a lane-dependent number of rounds."
reference: "Marsaglia, Xorshift RNGs (2003)"
features: [xor.b32, shl.b32, shr.u32, loop]
tags: [published]
launches:
  - grid: [1, 1, 1]
    block: [4, 1, 1]
    args:
      - {kind: buf, dtype: uint32, data: [1, 2463534242, 4294967295, 2147483648, 1, 2, 0, 5]}
      - {kind: buf, dtype: uint32, fill: 0, count: 4}
    expect:
      1: [270369, 2497366906, 4294967295, 1756881985]
---*/
extern "C" __global__ void xorshift_rounds(const unsigned *in, unsigned *out)
{
    unsigned t = threadIdx.x;
    unsigned x = in[t];
    unsigned n = in[t + 4];
    #pragma unroll 1
    for (unsigned i = 0; i < n; ++i) {
        x ^= x << 13;
        x ^= x >> 17;
        x ^= x << 5;
    }
    out[t] = x;
}
