/*---
description: "Greatest common divisors by remainders; each lane needs its own number of rounds."
reference: "Euclid, Elements, VII.2"
features: [rem.u32, divergent loop]
tags: [algorithm]
launches:
  - grid: [1, 1, 1]
    block: [8, 1, 1]
    args:
      - {kind: buf, dtype: uint32, data: [48, 17, 0, 270, 1, 1000000, 97, 1071]}
      - {kind: buf, dtype: uint32, data: [36, 5, 9, 192, 1, 128, 0, 462]}
      - {kind: buf, dtype: uint32, fill: 0, count: 8}
    expect:
      2: [12, 1, 9, 6, 1, 64, 97, 21]
---*/
extern "C" __global__ void gcd_euclid(const unsigned *a, const unsigned *b, unsigned *out)
{
    int t = threadIdx.x;
    unsigned x = a[t], y = b[t];
    while (y != 0) {
        unsigned r = x % y;
        x = y;
        y = r;
    }
    out[t] = x;
}
