/*---
description: "Segments of eight lanes need warps of at least eight."
reference: "CUDA C++ Programming Guide, Warp Shuffle Functions"
features: [shfl.sync.idx, width 8]
tags: [warp-size]
covers: [shfl-width-segment]
launches:
  - grid: [1, 1, 1]
    block: [8, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [7, -3, 12, 0, 45, -12, 9, 1]}
      - {kind: buf, dtype: int32, fill: 0, count: 8}
    expect:
      1: [1, 9, -12, 45, 0, 12, -3, 7]
    verdict: WARP_SIZE_DEPENDENT
    needs: [warp32]
---*/
extern "C" __global__ void warp32_width8(const int *in, int *out)
{
    int t = threadIdx.x;
    out[t] = __shfl_sync(0xffffffffu, in[t], 7 - t, 8);
}
