/*---
description: "Down by 1, 2 and 3 in segments of four; lanes without a source in the segment keep their own
  value."
reference: "CUDA C++ Programming Guide, Warp Shuffle Functions"
features: [shfl.sync.down, width 4]
tags: [published]
covers: [shfl-width-segment]
launches:
  - grid: [1, 1, 1]
    block: [8, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [7, -3, 12, 0, 45, -128, 9, 1]}
      - {kind: buf, dtype: int32, fill: 0, count: 24}
    expect:
      1: [-3, 12, 0, 0, -128, 9, 1, 1, 12, 0, 12, 0, 9, 1, 9, 1, 0, -3, 12, 0, 1, -128, 9, 1]
---*/
extern "C" __global__ void shfl_down_width4(const int *in, int *out)
{
    int t = threadIdx.x;
    int v = in[t];
    out[t] = __shfl_down_sync(0xffffffffu, v, 1, 4);
    out[t + 8] = __shfl_down_sync(0xffffffffu, v, 2, 4);
    out[t + 16] = __shfl_down_sync(0xffffffffu, v, 3, 4);
}
