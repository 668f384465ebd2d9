/*---
description: "A countdown with an unsigned counter must stop at the wrap, not at a negative number."
reference: "ISO C++17, [expr.rel]"
features: [setp.ne, loop]
tags: [published]
launches:
  - grid: [1, 1, 1]
    block: [4, 1, 1]
    args:
      - {kind: buf, dtype: uint32, data: [0, 1, 5, 12]}
      - {kind: buf, dtype: uint32, fill: 99, count: 8}
    expect:
      1: [0, 1, 5, 12, 0, 0, 10, 66]
---*/
extern "C" __global__ void unsigned_countdown(const unsigned *in, unsigned *out)
{
    unsigned n = in[threadIdx.x];
    unsigned rounds = 0;
    unsigned sum = 0;
    for (unsigned i = n - 1u; i < n; --i) {
        sum += i;
        ++rounds;
    }
    out[threadIdx.x] = rounds;
    out[threadIdx.x + 4] = sum;
}
