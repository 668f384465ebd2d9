/*---
description: "Dot product of three elements written out, one thread."
reference: "CUDA C++ Programming Guide, Kernels"
features: [mad.lo, no loop]
tags: [published, algorithm]
launches:
  - grid: [1, 1, 1]
    block: [1, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [1, 2, 3]}
      - {kind: buf, dtype: int32, data: [4, 5, 6]}
      - {kind: buf, dtype: int32, data: [0]}
    expect:
      2: [32]
  - grid: [1, 1, 1]
    block: [1, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [-7, 100, 0]}
      - {kind: buf, dtype: int32, data: [9, -11, 5]}
      - {kind: buf, dtype: int32, data: [0]}
    expect:
      2: [-1163]
---*/
extern "C" __global__ void dot_unrolled(const int *a, const int *b, int *out)
{
    out[0] = a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
