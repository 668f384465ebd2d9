/*---
description: "Three values change places every round: the back edge must copy them all at once."
reference: "ISO C++17, [stmt.for]"
features: [loop, mov.b32]
tags: [published]
launches:
  - grid: [1, 1, 1]
    block: [4, 1, 1]
    args:
      - {kind: buf, dtype: uint32, data: [1, 2, 3, 4294967295, 10, 20, 30, 0, 100, 200, 300, 5, 0, 1, 2, 3]}
      - {kind: buf, dtype: uint32, fill: 0, count: 12}
    expect:
      1: [1, 20, 300, 4294967295, 10, 200, 3, 0, 100, 2, 30, 5]
---*/
extern "C" __global__ void loop_rotate_values(const unsigned *in, unsigned *out)
{
    unsigned t = threadIdx.x;
    unsigned a = in[t];
    unsigned b = in[t + 4];
    unsigned c = in[t + 8];
    unsigned n = in[t + 12];
    #pragma unroll 1
    for (unsigned i = 0; i < n; ++i) {
        unsigned s = a;
        a = b;
        b = c;
        c = s;
    }
    out[t] = a;
    out[t + 4] = b;
    out[t + 8] = c;
}
