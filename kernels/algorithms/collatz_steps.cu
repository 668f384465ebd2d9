/*---
description: "Steps of the 3n + 1 iteration down to 1; lanes leave the loop one by one."
reference: "Lagarias, American Mathematical Monthly 92 (1985)"
features: [data-dependent loop, divergent arms]
tags: [published, algorithm]
covers: [loop-entry-divergent]
launches:
  - grid: [1, 1, 1]
    block: [8, 1, 1]
    args:
      - {kind: buf, dtype: uint32, data: [1, 2, 3, 7, 9, 12, 16, 19]}
      - {kind: buf, dtype: int32, fill: 0, count: 8}
    expect:
      1: [0, 1, 7, 16, 19, 9, 4, 20]
---*/
extern "C" __global__ void collatz_steps(const unsigned *in, int *out)
{
    unsigned n = in[threadIdx.x];
    int steps = 0;
    while (n != 1) {
        n = (n & 1) ? n * 3 + 1 : n >> 1;
        ++steps;
    }
    out[threadIdx.x] = steps;
}
