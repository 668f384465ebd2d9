/*---
description: "Up by 1, 2 and 3 in segments of four; lanes without a source in the segment keep their own value."
reference: "CUDA C++ Programming Guide, Warp Shuffle Functions"
features: [shfl.sync.up, width 4]
tags: [published]
covers: [shfl-width-segment]
launches:
  - grid: [1, 1, 1]
    block: [8, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [7, -3, 12, 0, 45, -128, 9, 1]}
      - {kind: buf, dtype: int32, fill: 0, count: 24}
    expect:
      1: [7, 7, -3, 12, 45, 45, -128, 9, 7, -3, 7, -3, 45, -128, 45, -128, 7, -3, 12, 7, 45, -128, 9, 45]
---*/
extern "C" __global__ void shfl_up_width4(const int *in, int *out)
{
    int t = threadIdx.x;
    int v = in[t];
    out[t] = __shfl_up_sync(0xffffffffu, v, 1, 4);
    out[t + 8] = __shfl_up_sync(0xffffffffu, v, 2, 4);
    out[t + 16] = __shfl_up_sync(0xffffffffu, v, 3, 4);
}
