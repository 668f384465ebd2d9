/*---
description: "continue skips the rest of a round but not the loop's increment."
reference: "ISO C++17, [stmt.cont]"
features: [loop, bra]
tags: [published]
launches:
  - grid: [1, 1, 1]
    block: [4, 1, 1]
    args:
      - {kind: buf, dtype: uint32, data: [0, 255, 85, 2147483649]}
      - {kind: buf, dtype: uint32, fill: 0, count: 4}
    expect:
      1: [36, 0, 20, 35]
---*/
extern "C" __global__ void loop_continue(const unsigned *in, unsigned *out)
{
    unsigned t = threadIdx.x;
    unsigned a = in[t];
    unsigned sum = 0;
    #pragma unroll 1
    for (unsigned i = 0; i < 8u; ++i) {
        if ((a >> i) & 1u)
            continue;
        sum += i + 1u;
    }
    out[t] = sum;
}
