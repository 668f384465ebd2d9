/*---
description: "A loop made of a label and two backward gotos."
reference: "ISO C++17, [stmt.goto]"
features: [bra, loop]
tags: [published]
launches:
  - grid: [1, 1, 1]
    block: [6, 1, 1]
    args:
      - {kind: buf, dtype: uint32, data: [0, 1, 6, 27, 5, 16]}
      - {kind: buf, dtype: uint32, fill: 0, count: 6}
    expect:
      1: [1000, 1004, 1003, 20274, 3004, 2004]
---*/
extern "C" __global__ void goto_backward(const unsigned *in, unsigned *out)
{
    unsigned t = threadIdx.x;
    unsigned a = in[t];
    unsigned n = 0;
    again:
    ++n;
    if (a & 1u) {
        a = a * 3u + 1u;
        if (n < 20u && a > 4u)
            goto again;
    } else {
        a >>= 1;
        if (n < 20u && a > 4u)
            goto again;
    }
    out[t] = n * 1000u + a;
}
