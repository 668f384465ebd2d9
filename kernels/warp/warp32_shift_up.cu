/*---
description: "A full-width shift up carries the value of thread 3 to thread 4."
reference: "CUDA C++ Programming Guide, Warp Shuffle Functions"
features: [shfl.sync.up, width 32]
tags: [warp-size]
launches:
  - grid: [1, 1, 1]
    block: [8, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [7, -3, 12, 0, 45, -12, 9, 1]}
      - {kind: buf, dtype: int32, fill: 0, count: 8}
    expect:
      1: [7, 7, -3, 12, 0, 45, -12, 9]
    verdict: WARP_SIZE_DEPENDENT
    needs: [warp32]
---*/
extern "C" __global__ void warp32_shift_up(const int *in, int *out)
{
    int t = threadIdx.x;
    out[t] = __shfl_up_sync(0xffffffffu, in[t], 1);
}
