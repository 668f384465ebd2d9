/*---
description: "Deltas of the segment's width and more leave every lane its own value."
reference: "https://github.com/ROCm/hip/issues/3213"
features: [shfl.sync.up, shfl.sync.down, "delta >= width"]
tags: [published, bug]
covers: [shfl-width-segment]
launches:
  - grid: [1, 1, 1]
    block: [8, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [7, -3, 12, 0, 45, -128, 9, 1]}
      - {kind: buf, dtype: int32, fill: 0, count: 16}
      - {kind: i32, value: 3}
    expect:
      1: [7, -3, 12, 7, 45, -128, 9, 45, 0, -3, 12, 0, 1, -128, 9, 1]
  - grid: [1, 1, 1]
    block: [8, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [7, -3, 12, 0, 45, -128, 9, 1]}
      - {kind: buf, dtype: int32, fill: 0, count: 16}
      - {kind: i32, value: 4}
    expect:
      1: [7, -3, 12, 0, 45, -128, 9, 1, 7, -3, 12, 0, 45, -128, 9, 1]
  - grid: [1, 1, 1]
    block: [8, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [7, -3, 12, 0, 45, -128, 9, 1]}
      - {kind: buf, dtype: int32, fill: 0, count: 16}
      - {kind: i32, value: 5}
    expect:
      1: [7, -3, 12, 0, 45, -128, 9, 1, 7, -3, 12, 0, 45, -128, 9, 1]
  - grid: [1, 1, 1]
    block: [8, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [7, -3, 12, 0, 45, -128, 9, 1]}
      - {kind: buf, dtype: int32, fill: 0, count: 16}
      - {kind: i32, value: 31}
    expect:
      1: [7, -3, 12, 0, 45, -128, 9, 1, 7, -3, 12, 0, 45, -128, 9, 1]
---*/
extern "C" __global__ void shfl_delta_past_segment(const int *in, int *out, int delta)
{
    int t = threadIdx.x;
    int v = in[t];
    out[t] = __shfl_up_sync(0xffffffffu, v, delta, 4);
    out[t + 8] = __shfl_down_sync(0xffffffffu, v, delta, 4);
}
