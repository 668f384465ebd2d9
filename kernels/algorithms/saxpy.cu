/*---
description: "y = a x + y in integers, ragged."
reference: "CUDA C++ Programming Guide, Kernels"
features: [mad.lo.s32, ragged tail]
tags: [published, algorithm]
launches:
  - grid: [3, 1, 1]
    block: [4, 1, 1]
    args:
      - {kind: i32, value: -5}
      - {kind: buf, dtype: int32, data: [3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5]}
      - {kind: buf, dtype: int32, range: [10, 12, 3]}
      - {kind: i32, value: 11}
    expect:
      2: [-5, 8, -4, 14, -3, -20, 18, 1, 9, 22, 15, 43]
---*/
extern "C" __global__ void saxpy(int a, const int *x, int *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = a * x[i] + y[i];
}
