/*---
description: "Rotation and reversal of groups of four by computed source lanes."
reference: "CUDA C++ Programming Guide, Warp Shuffle Functions"
features: [shfl.sync.idx, and.b32]
tags: [published]
launches:
  - grid: [1, 1, 1]
    block: [8, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [7, -3, 12, 0, 45, -128, 9, 1]}
      - {kind: buf, dtype: int32, fill: 0, count: 16}
      - {kind: i32, value: 1}
    expect:
      1: [-3, 12, 0, 7, -128, 9, 1, 45, 7, 0, 12, -3, 45, 1, 9, -128]
  - grid: [1, 1, 1]
    block: [8, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [7, -3, 12, 0, 45, -128, 9, 1]}
      - {kind: buf, dtype: int32, fill: 0, count: 16}
      - {kind: i32, value: -1}
    expect:
      1: [0, 7, -3, 12, 1, 45, -128, 9, 12, -3, 7, 0, 9, -128, 45, 1]
---*/
extern "C" __global__ void shfl_rotate_reverse(const int *in, int *out, int by)
{
    int t = threadIdx.x;
    int v = in[t];
    int turned = __shfl_sync(0xffffffffu, v, t + by, 4);
    int back = __shfl_sync(0xffffffffu, turned, ~t, 4);
    out[t] = turned;
    out[t + 8] = back;
}
