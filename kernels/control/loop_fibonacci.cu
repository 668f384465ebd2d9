/*---
description: "Fibonacci numbers modulo 2^32, with an index of its own for each lane."
reference: "ISO C++17, [stmt.while]"
features: [loop, add.s32]
tags: [published]
launches:
  - grid: [1, 1, 1]
    block: [6, 1, 1]
    args:
      - {kind: buf, dtype: uint32, data: [0, 1, 2, 47, 48, 30]}
      - {kind: buf, dtype: uint32, fill: 0, count: 6}
    expect:
      1: [0, 1, 1, 2971215073, 512559680, 832040]
---*/
extern "C" __global__ void loop_fibonacci(const unsigned *in, unsigned *out)
{
    unsigned t = threadIdx.x;
    unsigned n = in[t];
    unsigned x = 0;
    unsigned y = 1;
    #pragma unroll 1
    while (n-- != 0) {
        unsigned s = x + y;
        x = y;
        y = s;
    }
    out[t] = x;
}
