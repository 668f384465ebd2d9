/*---
description: "All four modes in segments of two."
reference: "CUDA C++ Programming Guide, Warp Shuffle Functions"
features: [shfl.sync.idx, shfl.sync.up, shfl.sync.down, shfl.sync.bfly, width 2]
tags: [published]
covers: [shfl-width-segment]
launches:
  - grid: [1, 1, 1]
    block: [8, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [7, -3, 12, 0, 45, -128, 9, 1]}
      - {kind: buf, dtype: int32, fill: 0, count: 32}
    expect:
      1: [-3, -3, 0, 0, -128, -128, 1, 1, 7, 7, 12, 12, 45, 45, 9, 9, -3, -3, 0, 0, -128, -128, 1, 1, -3, 7, 0,
          12, -128, 45, 1, 9]
---*/
extern "C" __global__ void shfl_width2_modes(const int *in, int *out)
{
    int t = threadIdx.x;
    int v = in[t];
    out[t] = __shfl_sync(0xffffffffu, v, 1, 2);
    out[t + 8] = __shfl_up_sync(0xffffffffu, v, 1, 2);
    out[t + 16] = __shfl_down_sync(0xffffffffu, v, 1, 2);
    out[t + 24] = __shfl_xor_sync(0xffffffffu, v, 1, 2);
}
