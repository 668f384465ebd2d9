/*---
description: "An exchange mask as wide as the segment reaches earlier segments but no later ones."
reference: "CUDA C++ Programming Guide, Warp Shuffle Functions"
features: [shfl.sync.bfly, widths 1 and 2]
tags: [published]
covers: [shfl-width-segment]
launches:
  - grid: [1, 1, 1]
    block: [8, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [7, -3, 12, 0, 45, -128, 9, 1]}
      - {kind: buf, dtype: int32, fill: 0, count: 24}
    expect:
      1: [7, -3, 7, -3, 45, -128, 45, -128, 7, -3, -3, 7, 45, -128, -128, 45, 7, 7, 12, 12, 45, 45, 9, 9]
---*/
extern "C" __global__ void shfl_xor_earlier_segment(const int *in, int *out)
{
    int t = threadIdx.x;
    int v = in[t];
    out[t] = __shfl_xor_sync(0xffffffffu, v, 2, 2);
    out[t + 8] = __shfl_xor_sync(0xffffffffu, v, 3, 2);
    out[t + 16] = __shfl_xor_sync(0xffffffffu, v, 1, 1);
}
