/*---
description: "Rows lie at a pitch longer than the row; the padding is never touched."
reference: "CUDA C++ Programming Guide, Device Memory"
features: [mad.lo.s32, 2D indexing]
tags: [published]
launches:
  - grid: [1, 1, 1]
    block: [3, 4, 1]
    args:
      - {kind: buf, dtype: int32, range: [1, 12, 1]}
      - {kind: buf, dtype: int32, fill: -1, count: 20}
      - {kind: i32, value: 5}
    expect:
      1: [6, 7, 8, -1, -1, 9, 10, 11, -1, -1, 12, 13, 14, -1, -1, 15, 16, 17, -1, -1]
---*/
extern "C" __global__ void row_pitch(const int *in, int *out, int pitch)
{
    int x = threadIdx.x, y = threadIdx.y;
    out[y * pitch + x] = in[y * 3 + x] + pitch;
}
