/*---
description: "A segment of one lane: every mode gives the own value."
reference: "CUDA C++ Programming Guide, Warp Shuffle Functions"
features: [shfl.sync, width 1]
tags: [published]
covers: [shfl-width-segment]
launches:
  - grid: [1, 1, 1]
    block: [8, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [7, -3, 12, 0, 45, -128, 9, 1]}
      - {kind: buf, dtype: int32, fill: 0, count: 8}
    expect:
      1: [21, -9, 36, 0, 135, -384, 27, 3]
---*/
extern "C" __global__ void shfl_width1(const int *in, int *out)
{
    int t = threadIdx.x;
    int v = in[t];
    out[t] = __shfl_sync(0xffffffffu, v, t + 1, 1) - __shfl_up_sync(0xffffffffu, v, 1, 1) +
             __shfl_down_sync(0xffffffffu, v, 3, 1) * 2 + __shfl_xor_sync(0xffffffffu, v, 2, 1);
}
