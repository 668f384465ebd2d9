/*---
description: "A segment of one lane: an index, a step up and a step down give the own value."
reference: "CUDA C++ Programming Guide, Warp Shuffle Functions"
features: [shfl.sync.idx, shfl.sync.up, shfl.sync.down, width 1]
tags: [published]
covers: [shfl-width-segment]
launches:
  - grid: [1, 1, 1]
    block: [8, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [7, -3, 12, 0, 45, -128, 9, 1]}
      - {kind: buf, dtype: int32, fill: 0, count: 8}
    expect:
      1: [14, -6, 24, 0, 90, -256, 18, 2]
---*/
extern "C" __global__ void shfl_width1(const int *in, int *out)
{
    int t = threadIdx.x;
    int v = in[t];
    out[t] = __shfl_sync(0xffffffffu, v, t + 1, 1) - __shfl_up_sync(0xffffffffu, v, 1, 1) +
             __shfl_down_sync(0xffffffffu, v, 3, 1) * 2;
}
