/*---
description: "Matrix times vector, one thread a row."
reference: "CUDA C++ Programming Guide, Kernels"
features: [mad.lo, loop]
tags: [published, algorithm]
launches:
  - grid: [1, 1, 1]
    block: [4, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3, 7, -3, 12, 0]}
      - {kind: buf, dtype: int32, data: [2, -1, 3, 0, 5]}
      - {kind: buf, dtype: int32, fill: 0, count: 4}
      - {kind: i32, value: 5}
    expect:
      2: [42, 49, 74, -10]
---*/
extern "C" __global__ void matvec(const int *m, const int *v, int *out, int cols)
{
    int row = threadIdx.x;
    int sum = 0;
    for (int k = 0; k < cols; ++k)
        sum += m[row * cols + k] * v[k];
    out[row] = sum;
}
