/*---
description: "Only the named elements change: the buffers before and after, and the gaps, keep their values."
reference: "CUDA C++ Programming Guide, Device Memory Accesses"
features: [st.global.u32]
tags: [published]
launches:
  - grid: [1, 1, 1]
    block: [3, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [1, 2, 3, 4]}
      - {kind: buf, dtype: int32, fill: 50, count: 8}
      - {kind: buf, dtype: int32, data: [10, 20, 30, 40]}
      - {kind: i32, value: 1}
    expect:
      1: [50, 11, 50, 22, 50, 33, 50, 50]
---*/
extern "C" __global__ void untouched_neighbours(int *before, int *out, int *after, int first)
{
    int t = threadIdx.x;
    out[first + 2 * t] = before[t] + after[t];
}
