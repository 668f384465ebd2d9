/*---
description: "Indices read from memory choose what is loaded; several threads may read one word."
reference: "CUDA C++ Programming Guide, Device Memory Accesses"
features: [dependent loads, mul.wide]
tags: [published]
launches:
  - grid: [1, 1, 1]
    block: [8, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [7, -3, 12, 0, 45, -128, 9, 1]}
      - {kind: buf, dtype: int32, data: [3, 0, 7, 7, 2, 5, 1, 3]}
      - {kind: buf, dtype: int32, fill: 0, count: 8}
    expect:
      2: [0, 7, 1, 1, 12, -128, -3, 0]
---*/
extern "C" __global__ void gather_index(const int *table, const int *index, int *out)
{
    int t = threadIdx.x;
    out[t] = table[index[t]];
}
