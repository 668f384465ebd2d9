/*---
description: "Integer square roots by Newton's iteration with division."
reference: "Hacker's Delight, 11-1"
features: [div.u32, divergent loop]
tags: [algorithm]
launches:
  - grid: [1, 1, 1]
    block: [8, 1, 1]
    args:
      - {kind: buf, dtype: uint32, data: [0, 1, 2, 3, 99, 100, 65535, 1000000]}
      - {kind: buf, dtype: uint32, fill: 0, count: 8}
    expect:
      1: [0, 1, 1, 1, 9, 10, 255, 1000]
---*/
extern "C" __global__ void newton_isqrt(const unsigned *in, unsigned *out)
{
    unsigned n = in[threadIdx.x];
    unsigned x = n;
    if (n > 1) {
        unsigned next = (n >> 1) + (n & 1);
        while (next < x) {
            x = next;
            next = (x + n / x) >> 1;
        }
    }
    out[threadIdx.x] = x;
}
