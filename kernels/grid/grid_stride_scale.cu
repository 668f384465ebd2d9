/*---
description: "A grid-stride loop gives the same result for any grid and block."
reference: "CUDA C++ Programming Guide, Kernels"
features: [grid-stride loop, nctaid]
tags: [published]
launches:
  - grid: [1, 1, 1]
    block: [4, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3]}
      - {kind: buf, dtype: int32, fill: -1, count: 16}
      - {kind: i32, value: 15}
      - {kind: i32, value: -3}
    expect:
      1: [-9, -2, -10, 0, -11, -22, 0, -11, -7, 0, -5, -13, -15, -8, -13, -1]
  - grid: [3, 1, 1]
    block: [2, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3]}
      - {kind: buf, dtype: int32, fill: -1, count: 16}
      - {kind: i32, value: 15}
      - {kind: i32, value: -3}
    expect:
      1: [-9, -2, -10, 0, -11, -22, 0, -11, -7, 0, -5, -13, -15, -8, -13, -1]
  - grid: [2, 1, 1]
    block: [8, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3]}
      - {kind: buf, dtype: int32, fill: -1, count: 16}
      - {kind: i32, value: 15}
      - {kind: i32, value: -3}
    expect:
      1: [-9, -2, -10, 0, -11, -22, 0, -11, -7, 0, -5, -13, -15, -8, -13, -1]
  - grid: [20, 1, 1]
    block: [1, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3]}
      - {kind: buf, dtype: int32, fill: -1, count: 16}
      - {kind: i32, value: 15}
      - {kind: i32, value: -3}
    expect:
      1: [-9, -2, -10, 0, -11, -22, 0, -11, -7, 0, -5, -13, -15, -8, -13, -1]
---*/
extern "C" __global__ void grid_stride_scale(const int *in, int *out, int n, int scale)
{
    int step = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step)
        out[i] = in[i] * scale + i;
}
