/*---
description: "Exchange of lanes that differ by a mask of 1, 2 and 3 in segments of four."
reference: "CUDA C++ Programming Guide, Warp Shuffle Functions"
features: [shfl.sync.bfly, width 4]
tags: [published]
covers: [shfl-width-segment]
launches:
  - grid: [1, 1, 1]
    block: [8, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [7, -3, 12, 0, 45, -128, 9, 1]}
      - {kind: buf, dtype: int32, fill: 0, count: 24}
    expect:
      1: [-3, 7, 0, 12, -128, 45, 1, 9, 12, 0, 7, -3, 9, 1, 45, -128, 0, 12, -3, 7, 1, 9, -128, 45]
---*/
extern "C" __global__ void shfl_bfly_width4(const int *in, int *out)
{
    int t = threadIdx.x;
    int v = in[t];
    out[t] = __shfl_xor_sync(0xffffffffu, v, 1, 4);
    out[t + 8] = __shfl_xor_sync(0xffffffffu, v, 2, 4);
    out[t + 16] = __shfl_xor_sync(0xffffffffu, v, 3, 4);
}
