/*---
description: "Twenty-four blocks of one thread."
reference: "CUDA C++ Programming Guide, Thread Hierarchy"
features: [ctaid.x, block of one thread]
tags: [published]
launches:
  - grid: [24, 1, 1]
    block: [1, 1, 1]
    args:
      - {kind: buf, dtype: int32, fill: 0, count: 24}
    expect:
      0: [0, -6, -10, -12, -12, -10, -6, 0, 8, 18, 30, 44, 60, 78, 98, 120, 144, 170, 198, 228, 260, 294, 330,
          368]
---*/
extern "C" __global__ void many_blocks_of_one(int *out)
{
    unsigned b = blockIdx.x;
    out[b] = (int)(b * b) - (int)b * 7 + (int)threadIdx.x;
}
