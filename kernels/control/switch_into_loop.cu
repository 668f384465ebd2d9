/*---
description: "Duff's device: a switch jumps into the middle of a loop body, so lanes enter the loop at four
  places."
reference: "ISO C++17, [stmt.switch]"
features: [bra, loop]
tags: [published]
covers: [loop-entry-divergent, switch-fallthrough]
launches:
  - grid: [1, 1, 1]
    block: [8, 1, 1]
    args:
      - {kind: buf, dtype: uint32, data: [1, 2, 3, 4, 5, 8, 11, 6]}
      - {kind: buf, dtype: uint32, fill: 0, count: 8}
    expect:
      1: [15, 46, 140, 423, 1273, 34441, 930016, 3824]
---*/
extern "C" __global__ void switch_into_loop(const unsigned *in, unsigned *out)
{
    unsigned t = threadIdx.x;
    unsigned n = in[t];
    unsigned h = 5;
    unsigned k = 0;
    unsigned rounds = (n + 3u) / 4u;
    switch (n & 3u) {
        do {
        case 0:
            h = h * 3u + k++;
        case 3:
            h = h * 3u + k++;
        case 2:
            h = h * 3u + k++;
        case 1:
            h = h * 3u + k++;
        } while (--rounds > 0);
    }
    out[t] = h;
}
