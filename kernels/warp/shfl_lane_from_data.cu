/*---
description: "The source lane is a value from memory, different in each lane, negative ones too."
reference: "CUDA C++ Programming Guide, Warp Shuffle Functions"
features: [shfl.sync.idx, source from a register]
tags: [published]
covers: [shfl-width-segment]
launches:
  - grid: [1, 1, 1]
    block: [8, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [7, -3, 12, 0, 45, -128, 9, 1]}
      - {kind: buf, dtype: int32, data: [2, 2, 7, -1, 100, -4, 0, 3]}
      - {kind: buf, dtype: int32, fill: 0, count: 8}
    expect:
      2: [12, 12, 0, 0, 45, 45, 45, 1]
---*/
extern "C" __global__ void shfl_lane_from_data(const int *in, const int *from, int *out)
{
    int t = threadIdx.x;
    out[t] = __shfl_sync(0xffffffffu, in[t], from[t], 4);
}
