/*---
description: "Each element's cycle length in a permutation, and how many cycles there are."
reference: "CUDA C++ Programming Guide, Kernels"
features: [dependent loads, divergent loop, atom.add]
tags: [published, algorithm]
launches:
  - grid: [1, 1, 1]
    block: [10, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [2, 0, 1, 3, 5, 4, 9, 6, 7, 8]}
      - {kind: buf, dtype: int32, fill: 0, count: 10}
      - {kind: buf, dtype: int32, data: [0]}
    expect:
      1: [3, 3, 3, 1, 2, 2, 4, 4, 4, 4]
      2: [4]
---*/
extern "C" __global__ void permutation_cycles(const int *p, int *length, int *cycles)
{
    int t = threadIdx.x;
    int at = t, steps = 0, lowest = t;
    do {
        at = p[at];
        ++steps;
        if (at < lowest)
            lowest = at;
    } while (at != t);
    length[t] = steps;
    if (lowest == t)
        atomicAdd(cycles, 1);
}
