/*---
description: "Sum of two matrices, one thread an element, 2D grid."
reference: "CUDA C++ Programming Guide, Thread Hierarchy"
features: [2D grid, 2D block]
tags: [published, algorithm]
launches:
  - grid: [2, 3, 1]
    block: [2, 2, 1]
    args:
      - {kind: buf, dtype: int32, range: [1, 15, 1]}
      - {kind: buf, dtype: int32, range: [100, 15, -9]}
      - {kind: buf, dtype: int32, fill: 0, count: 15}
      - {kind: i32, value: 5}
      - {kind: i32, value: 3}
    expect:
      2: [101, 93, 85, 77, 69, 61, 53, 45, 37, 29, 21, 13, 5, -3, -11]
---*/
extern "C" __global__ void matrix_add_2d(const int *a, const int *b, int *c, int rows, int cols)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < rows && col < cols)
        c[row * cols + col] = a[row * cols + col] + b[row * cols + col];
}
