/*---
description: "Each lane leaves a loop after its own number of rounds; one never enters it."
reference:
  "https://github.com/SemiAnalysisAI/FuzzX/blob/44da26c29770356cda23934276ecf66fccae2dc8/known-miscompiles/m019-structured-loop-uniform-counter/NOTES.md"
features: [divergent loop, branch inside loop, reconvergence]
tags: [bug, published]
covers: [loop-trip-count-per-lane]
launches:
  - grid: [1, 1, 1]
    block: [8, 1, 1]
    args:
      - {kind: buf, dtype: uint32, data: [1, 2, 3, 6, 7, 8, 5, 12]}
      - {kind: buf, dtype: int32, fill: 0, count: 16}
    expect:
      1: [0, 1, 7, 8, 16, 3, 5, 9, 100, 101, 102, 103, 104, 105, 106, 107]
---*/
extern "C" __global__ void trip_count_per_lane(const unsigned *in, int *out)
{
    unsigned t = threadIdx.x;
    unsigned v = in[t];
    int rounds = 0;
#pragma unroll 1
    while (v != 1u) {
        if (v & 1u)
            v = 3u * v + 1u;
        else
            v >>= 1;
        ++rounds;
    }
    out[t] = rounds;
    out[t + 8] = (int)(v * 100u + t);
}
