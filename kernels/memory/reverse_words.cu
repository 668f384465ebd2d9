/*---
description: "Reversal through a negative index step."
reference: "CUDA C++ Programming Guide, Kernels"
features: [ld.global.u32, sub.s32]
tags: [published]
launches:
  - grid: [1, 1, 1]
    block: [8, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [7, -3, 12, 0, 45, -128, 9, 1]}
      - {kind: buf, dtype: int32, fill: 0, count: 8}
      - {kind: i32, value: 8}
    expect:
      1: [1, 9, -128, 45, 0, 12, -3, 7]
---*/
extern "C" __global__ void reverse_words(const int *in, int *out, int n)
{
    int i = threadIdx.x;
    out[n - 1 - i] = in[i];
}
