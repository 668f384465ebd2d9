/*---
description: "Matrix product, one thread an element: 3 x 3, and 2 x 4 by 4 x 3."
reference: "CUDA C++ Programming Guide, Kernels"
features: [nested index, mad.lo, 2D block]
tags: [published, algorithm]
launches:
  - grid: [1, 1, 1]
    block: [3, 3, 1]
    args:
      - {kind: buf, dtype: int32, data: [1, 2, 3, 4, 5, 6, 7, 8, 9]}
      - {kind: buf, dtype: int32, data: [9, -8, 7, -6, 5, -4, 3, -2, 1]}
      - {kind: buf, dtype: int32, fill: 0, count: 9}
      - {kind: i32, value: 3}
    expect:
      2: [6, -4, 2, 24, -19, 14, 42, -34, 26]
  - grid: [1, 1, 1]
    block: [3, 2, 1]
    args:
      - {kind: buf, dtype: int32, data: [7, -3, 12, 0, 45, -128, 9, 1]}
      - {kind: buf, dtype: int32, range: [-3, 12, 2]}
      - {kind: buf, dtype: int32, fill: 0, count: 6}
      - {kind: i32, value: 4}
    expect:
      2: [78, 110, 142, -423, -569, -715]
---*/
extern "C" __global__ void matmul_naive(const int *a, const int *b, int *c, int inner)
{
    int col = threadIdx.x, row = threadIdx.y;
    int cols = blockDim.x;
    int sum = 0;
    for (int k = 0; k < inner; ++k)
        sum += a[row * inner + k] * b[k * cols + col];
    c[row * cols + col] = sum;
}
