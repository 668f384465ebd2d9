/*---
description: "Powers modulo 2^32 by squaring, exponents differ by lane."
reference: "Knuth, The Art of Computer Programming 2, 4.6.3"
features: [mul.lo.u32, shr, divergent loop]
tags: [published, algorithm]
launches:
  - grid: [1, 1, 1]
    block: [8, 1, 1]
    args:
      - {kind: buf, dtype: uint32, data: [0, 0, 2, 3, 7, 10, 4294967295, 12345]}
      - {kind: buf, dtype: uint32, data: [0, 5, 31, 20, 1000, 9, 4294967295, 77]}
      - {kind: buf, dtype: uint32, fill: 0, count: 8}
    expect:
      2: [1, 0, 2147483648, 3486784401, 432069569, 1000000000, 4294967295, 1575082073]
---*/
extern "C" __global__ void power_by_squaring(const unsigned *base, const unsigned *exponent, unsigned *out)
{
    int t = threadIdx.x;
    unsigned b = base[t], e = exponent[t], r = 1;
    while (e != 0) {
        if (e & 1)
            r *= b;
        b *= b;
        e >>= 1;
    }
    out[t] = r;
}
