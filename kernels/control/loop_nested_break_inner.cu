/*---
description: "break leaves the inner loop only; the outer one goes on for every lane."
reference: "ISO C++17, [stmt.break]"
features: [nested loop, bra]
tags: [published]
launches:
  - grid: [1, 1, 1]
    block: [4, 1, 1]
    args:
      - {kind: buf, dtype: uint32, data: [0, 1, 7, 32, 4, 3, 5, 0]}
      - {kind: buf, dtype: uint32, fill: 0, count: 4}
    expect:
      1: [138, 3, 84, 0]
---*/
extern "C" __global__ void loop_nested_break_inner(const unsigned *in, unsigned *out)
{
    unsigned t = threadIdx.x;
    unsigned a = in[t];
    unsigned n = in[t + 4];
    unsigned sum = 0;
    #pragma unroll 1
    for (unsigned i = 0; i < n; ++i) {
        unsigned j;
    #pragma unroll 1
        for (j = 0; j < 5u; ++j) {
            if (((a + i) >> j) & 1u)
                break;
        }
        sum = sum * 3u + j;
    }
    out[t] = sum;
}
