/*---
description: "13 threads: the last warp has one lane of four. Each thread does as many rounds as its number."
reference: "CUDA C++ Programming Guide, Thread Hierarchy"
features: [loop, "%tid"]
tags: [published]
launches:
  - grid: [1, 1, 1]
    block: [13, 1, 1]
    args:
      - {kind: buf, dtype: uint32, fill: 0, count: 14}
    expect:
      0: [1, 2, 5, 10, 21, 42, 85, 170, 341, 682, 1365, 2730, 5461, 0]
  - grid: [1, 1, 1]
    block: [1, 1, 1]
    args:
      - {kind: buf, dtype: uint32, fill: 0, count: 14}
    expect:
      0: [1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]
  - grid: [1, 1, 1]
    block: [5, 1, 1]
    args:
      - {kind: buf, dtype: uint32, fill: 0, count: 14}
    expect:
      0: [1, 2, 5, 10, 21, 0, 0, 0, 0, 0, 0, 0, 0, 0]
---*/
extern "C" __global__ void ragged_block(unsigned *out)
{
    unsigned t = threadIdx.x;
    unsigned v = 1;
    for (unsigned i = 0; i < t; ++i)
        v = v * 2u + (i & 1u);
    out[t] = v;
}
