/*---
description: "Stores under a condition: threads that do not take it leave their element."
reference: "CUDA C++ Programming Guide, Control Flow Instructions"
features: [predicated store, bra]
tags: [published]
covers: [predicated-write-liveout]
launches:
  - grid: [1, 1, 1]
    block: [8, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [7, -3, 12, 0, 45, -128, 9, 1]}
      - {kind: buf, dtype: int32, fill: -100, count: 16}
      - {kind: i32, value: 5}
    expect:
      1: [2, -100, 7, -100, 40, -100, 4, -100, 7, -3, -100, -100, 45, -100, 9, 1]
---*/
extern "C" __global__ void conditional_stores(const int *in, int *out, int limit)
{
    int t = threadIdx.x;
    int v = in[t];
    if (v > limit)
        out[t] = v - limit;
    if ((v & 1) != 0)
        out[t + 8] = v;
}
