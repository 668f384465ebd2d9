/*---
description: "Lanes add to different words, one or none, by the arm they take."
reference: "CUDA C++ Programming Guide, Atomic Functions"
features: [atom.global.add, divergent branch]
tags: [published]
launches:
  - grid: [1, 1, 1]
    block: [12, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [4, -1, 0, 6, -2, -3, -4, -5, 1, 2, 3, 9]}
      - {kind: buf, dtype: int32, data: [0, 0, 0, 10]}
    expect:
      1: [13, 12, 15, 15]
---*/
extern "C" __global__ void add_under_divergence(const int *in, int *sums)
{
    int v = in[threadIdx.x];
    if (v > 0) {
        if (v & 1)
            atomicAdd(&sums[0], v);
        else
            atomicAdd(&sums[1], v);
    } else if (v < 0) {
        atomicAdd(&sums[2], -v);
        atomicAdd(&sums[3], 1);
    }
}
