/*---
description: "A 2D grid of 2D blocks with a ragged edge in both directions."
reference: "CUDA C++ Programming Guide, Thread Hierarchy"
features: [2D grid, 2D block, ragged edges]
tags: [published]
launches:
  - grid: [2, 3, 1]
    block: [4, 2, 1]
    args:
      - {kind: buf, dtype: int32, fill: 999, count: 35}
      - {kind: i32, value: 7}
      - {kind: i32, value: 5}
    expect:
      0: [0, 10, -20, 30, -40, 50, -60, 1, -11, 21, -31, 41, -51, 61, -2, 12, -22, 32, -42, 52, -62, 3, -13, 23,
          -33, 43, -53, 63, -4, 14, -24, 34, -44, 54, -64]
  - grid: [3, 2, 1]
    block: [2, 2, 1]
    args:
      - {kind: buf, dtype: int32, fill: 999, count: 35}
      - {kind: i32, value: 5}
      - {kind: i32, value: 3}
    expect:
      0: [0, 10, -20, 30, -40, 1, -11, 21, -31, 41, -2, 12, -22, 32, -42, 999, 999, 999, 999, 999, 999, 999,
          999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999]
  - grid: [1, 2, 1]
    block: [3, 4, 1]
    args:
      - {kind: buf, dtype: int32, fill: 999, count: 35}
      - {kind: i32, value: 3}
      - {kind: i32, value: 7}
    expect:
      0: [0, 10, -20, 1, -11, 21, -2, 12, -22, 3, -13, 23, -4, 14, -24, 5, -15, 25, -6, 16, -26, 999, 999, 999,
          999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999]
---*/
extern "C" __global__ void checkerboard_2d(int *out, int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < width && y < height)
        out[y * width + x] = ((x ^ y) & 1) ? x * 10 + y : -(x * 10 + y);
}
