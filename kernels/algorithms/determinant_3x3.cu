/*---
description: "Determinants of four 3 x 3 matrices."
reference: "CUDA C++ Programming Guide, Kernels"
features: [mul.lo, sub, register pressure]
tags: [published, algorithm]
launches:
  - grid: [1, 1, 1]
    block: [4, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [1, 2, 3, 4, 5, 6, 7, 8, 9, 9, -8, 7, -6, 5, -4, 3, -2, 1, 2, 0, 1, -3,
          5, 7, 0, 0, -4, 0, 1, 0, 1, 0, 0, 0, 0, 1]}
      - {kind: buf, dtype: int32, fill: 0, count: 4}
    expect:
      1: [0, 0, -40, -1]
---*/
extern "C" __global__ void determinant_3x3(const int *in, int *out)
{
    const int *m = in + threadIdx.x * 9;
    out[threadIdx.x] = m[0] * (m[4] * m[8] - m[5] * m[7]) - m[1] * (m[3] * m[8] - m[5] * m[6]) +
                       m[2] * (m[3] * m[7] - m[4] * m[6]);
}
