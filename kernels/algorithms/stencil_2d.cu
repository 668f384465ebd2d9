/*---
description: "Five-point stencil on a 4 x 4 grid, zero outside."
reference: "CUDA C++ Programming Guide, Kernels"
features: [2D block, edge conditions]
tags: [published, algorithm]
launches:
  - grid: [1, 1, 1]
    block: [4, 4, 1]
    args:
      - {kind: buf, dtype: int32, data: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 17]}
      - {kind: buf, dtype: int32, fill: 0, count: 16}
    expect:
      1: [3, 2, 1, -5, -4, 0, 0, -9, -8, 0, 0, -12, -29, -18, -18, -41]
---*/
extern "C" __global__ void stencil_2d(const int *in, int *out)
{
    int x = threadIdx.x, y = threadIdx.y;
    int at = y * 4 + x;
    int sum = -4 * in[at];
    if (x > 0)
        sum += in[at - 1];
    if (x < 3)
        sum += in[at + 1];
    if (y > 0)
        sum += in[at - 4];
    if (y < 3)
        sum += in[at + 4];
    out[at] = sum;
}
