/*---
description: "Modular exponentiation whose products fit 32 bits, with an exponent of its own for each lane."
reference: "Knuth, TAOCP vol. 2, 4.6.3"
features: [mul.lo.u32, rem.u32, loop]
tags: [published]
launches:
  - grid: [1, 1, 1]
    block: [4, 1, 1]
    args:
      - {kind: buf, dtype: uint32, data: [2, 3, 65535, 0, 10, 0, 255, 5, 1000, 7, 65521, 13]}
      - {kind: buf, dtype: uint32, fill: 0, count: 4}
    expect:
      1: [24, 1, 60452, 0]
---*/
extern "C" __global__ void modpow_small(const unsigned *in, unsigned *out)
{
    unsigned t = threadIdx.x;
    unsigned b = in[t];
    unsigned e = in[t + 4];
    unsigned m = in[t + 8];
    unsigned r = 1u % m;
    unsigned s = b % m;
    #pragma unroll 1
    while (e != 0) {
        if (e & 1u)
            r = r * s % m;
        s = s * s % m;
        e >>= 1;
    }
    out[t] = r;
}
