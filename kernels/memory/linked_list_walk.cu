/*---
description: "Each loaded index is the address of the next load."
reference: "CUDA C++ Programming Guide, Device Memory Accesses"
features: [dependent loads, loop]
tags: [published]
launches:
  - grid: [1, 1, 1]
    block: [4, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [3, 5, 4, 1, 7, 2, 0, 6]}
      - {kind: buf, dtype: int32, data: [10, 20, 30, 40, 50, 60, 70, 80]}
      - {kind: buf, dtype: int32, fill: 0, count: 4}
      - {kind: i32, value: 5}
    expect:
      2: [7104, 11006, 13503, 11507]
---*/
extern "C" __global__ void linked_list_walk(const int *next, const int *value, int *out, int hops)
{
    int at = threadIdx.x;
    int acc = 0;
    for (int k = 0; k < hops; ++k) {
        acc = acc * 2 + value[at];
        at = next[at];
    }
    out[threadIdx.x] = acc * 10 + at;
}
