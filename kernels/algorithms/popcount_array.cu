/*---
description: "Bits set in an array, counted by clearing the lowest one."
reference: "Kernighan and Ritchie, The C Programming Language, exercise 2-9"
features: [and, sub, divergent loop, atom.add]
tags: [published, algorithm]
launches:
  - grid: [1, 1, 1]
    block: [8, 1, 1]
    args:
      - {kind: buf, dtype: uint32, data: [0, 1, 255, 4294967295, 2147483648, 305419896, 7, 2863311530]}
      - {kind: buf, dtype: int32, fill: 0, count: 8}
      - {kind: buf, dtype: int32, data: [0]}
    expect:
      1: [0, 1, 8, 32, 1, 13, 3, 16]
      2: [74]
---*/
extern "C" __global__ void popcount_array(const unsigned *in, int *out, int *total)
{
    int t = threadIdx.x;
    unsigned v = in[t];
    int n = 0;
    while (v != 0) {
        v &= v - 1;
        ++n;
    }
    out[t] = n;
    atomicAdd(total, n);
}
