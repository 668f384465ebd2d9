/*---
description: "Indices read from memory choose where results are stored."
reference: "CUDA C++ Programming Guide, Device Memory Accesses"
features: [dependent store address]
tags: [published]
launches:
  - grid: [1, 1, 1]
    block: [8, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [7, -3, 12, 0, 45, -128, 9, 1]}
      - {kind: buf, dtype: int32, data: [4, 2, 7, 0, 6, 1, 3, 5]}
      - {kind: buf, dtype: int32, fill: -1, count: 9}
    expect:
      2: [0, -256, -6, 18, 14, 2, 90, 24, -1]
---*/
extern "C" __global__ void scatter_permutation(const int *in, const int *where, int *out)
{
    int t = threadIdx.x;
    out[where[t]] = in[t] * 2;
}
