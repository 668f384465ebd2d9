/*---
description: "A square matrix is transposed in place by the threads above the diagonal."
reference: "CUDA C++ Programming Guide, Kernels"
features: [swap, divergence by index]
tags: [published, algorithm]
launches:
  - grid: [1, 1, 1]
    block: [4, 4, 1]
    args:
      - {kind: buf, dtype: int32, data: [3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3]}
    expect:
      0: [3, 5, 5, 9, 1, 9, 3, 7, 4, 2, 5, 9, 1, 6, 8, 3]
---*/
extern "C" __global__ void transpose_in_place(int *m)
{
    int x = threadIdx.x, y = threadIdx.y;
    if (x > y) {
        int above = m[y * 4 + x];
        m[y * 4 + x] = m[x * 4 + y];
        m[x * 4 + y] = above;
    }
}
