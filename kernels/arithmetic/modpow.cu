/*---
description: "Modular exponentiation by squaring with a 64-bit intermediate product; the trip count depends on
  the exponent."
reference: "Knuth, TAOCP vol. 2, 4.6.3"
features: [mul.wide.u32, rem.u64, loop]
launches:
  - grid: [1, 1, 1]
    block: [4, 1, 1]
    args:
      - {kind: buf, dtype: uint32, data: [2, 3, 65537, 7, 10, 0, 65535, 1000000006, 1000, 7, 4294967291,
          1000000007]}
      - {kind: buf, dtype: uint32, fill: 0, count: 4}
    expect:
      1: [24, 1, 4286984876, 1]
---*/
extern "C" __global__ void modpow(const unsigned *in, unsigned *out)
{
    unsigned t = threadIdx.x;
    unsigned b = in[t];
    unsigned e = in[t + 4];
    unsigned m = in[t + 8];
    unsigned r = 1;
    unsigned s = b % m;
    #pragma unroll 1
    while (e != 0) {
        if (e & 1u)
            r = (unsigned)((unsigned long long)r * s % m);
        s = (unsigned)((unsigned long long)s * s % m);
        e >>= 1;
    }
    out[t] = r;
}
