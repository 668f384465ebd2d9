/*---
description: "Values that lanes computed in their last round are read after the loop, when other lanes went
  on."
reference: "https://github.com/SemiAnalysisAI/FuzzX (m019)"
features: [loop, bra]
tags: [published]
covers: [loop-trip-count-per-lane]
launches:
  - grid: [1, 1, 1]
    block: [8, 1, 1]
    args:
      - {kind: buf, dtype: uint32, data: [3, 1, 6, 2, 4, 1, 5, 8]}
      - {kind: buf, dtype: uint32, fill: 0, count: 16}
    expect:
      1: [5, 1, 26, 2, 10, 1, 17, 50, 3, 1, 6, 2, 4, 1, 5, 8]
---*/
extern "C" __global__ void loop_exit_values(const unsigned *in, unsigned *out)
{
    unsigned t = threadIdx.x;
    unsigned n = in[t];
    unsigned last;
    unsigned i = 0;
    #pragma unroll 1
    do {
        last = i * i + 1u;
        ++i;
    } while (i < n);
    out[t] = last;
    out[t + 8] = i;
}
