/*---
description: "Nine values move along by one place every round: a cycle of copies on the back edge."
reference: "ISO C++17, [stmt.for]"
features: [loop, mov.b32]
tags: [published]
launches:
  - grid: [1, 1, 1]
    block: [4, 1, 1]
    args:
      - {kind: buf, dtype: uint32, data: [0, 1, 2, 3]}
      - {kind: buf, dtype: uint32, fill: 0, count: 4}
    expect:
      1: [1271077412, 1766167064, 1376060853, 100746374]
---*/
extern "C" __global__ void registers_shift_in_loop(const unsigned *in, unsigned *out)
{
    unsigned t = threadIdx.x;
    unsigned a = in[t];
    unsigned v0 = a * 1u + 0u;
    unsigned v1 = a * 2u + 1u;
    unsigned v2 = a * 3u + 4u;
    unsigned v3 = a * 4u + 9u;
    unsigned v4 = a * 5u + 16u;
    unsigned v5 = a * 6u + 25u;
    unsigned v6 = a * 7u + 36u;
    unsigned v7 = a * 8u + 49u;
    unsigned v8 = a * 9u + 64u;
    #pragma unroll 1
    for (unsigned r = 0; r < (a & 3u); ++r) {
        unsigned next = v0 + v4 * 3u;
        v0 = v1;
        v1 = v2;
        v2 = v3;
        v3 = v4;
        v4 = v5;
        v5 = v6;
        v6 = v7;
        v7 = v8;
        v8 = next;
    }
    unsigned h = 0;
    h = h * 31u + v0;
    h = h * 31u + v1;
    h = h * 31u + v2;
    h = h * 31u + v3;
    h = h * 31u + v4;
    h = h * 31u + v5;
    h = h * 31u + v6;
    h = h * 31u + v7;
    h = h * 31u + v8;
    out[t] = h;
}
