/*---
description: "A dot product by one thread in a loop whose trip count is a run-time argument."
reference: "CUDA C++ Programming Guide, Kernels"
features: [ld.global, mad.lo.s32, setp, bra, loop]
tags: [published]
covers: [loop-run-time-bound]
launches:
  - grid: [1, 1, 1]
    block: [1, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [1, 2, 3]}
      - {kind: buf, dtype: int32, data: [4, 5, 6]}
      - {kind: buf, dtype: int32, data: [0]}
      - {kind: i32, value: 3}
    expect:
      2: [32]
---*/
extern "C" __global__ void dot3(const int *a, const int *b, int *out, int n)
{
    int sum = 0;
    for (int i = 0; i < n; ++i)
        sum += a[i] * b[i];
    out[0] = sum;
}
