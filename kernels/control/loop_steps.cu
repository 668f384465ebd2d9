/*---
description: "Loops that step by three, downward, and through an unsigned wrap."
reference: "ISO C++17, [stmt.for]"
features: [loop]
tags: [published]
launches:
  - grid: [1, 1, 1]
    block: [4, 1, 1]
    args:
      - {kind: buf, dtype: uint32, data: [0, 1, 10, 7]}
      - {kind: buf, dtype: uint32, fill: 0, count: 12}
    expect:
      1: [0, 0, 18, 9, 0, 1, 5, 4, 3, 4, 13, 10]
---*/
extern "C" __global__ void loop_steps(const unsigned *in, unsigned *out)
{
    unsigned t = threadIdx.x;
    unsigned n = in[t];
    unsigned up = 0;
    unsigned down = 0;
    unsigned wrap = 0;
    #pragma unroll 1
    for (unsigned i = 0; i < n; i += 3u)
        up += i;
    #pragma unroll 1
    for (int i = (int)n; i > 0; i -= 2)
        ++down;
    #pragma unroll 1
    for (unsigned i = 0xfffffffdu; i != n; ++i)
        ++wrap;
    out[t] = up;
    out[t + 4] = down;
    out[t + 8] = wrap;
}
