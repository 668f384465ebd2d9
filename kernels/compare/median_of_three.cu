/*---
description: "The median of three by min and max, equal and extreme values included."
reference: "PTX ISA, Integer Arithmetic Instructions: min, max"
features: [min.s32, max.s32]
tags: [published]
covers: [min-max-signedness]
launches:
  - grid: [1, 1, 1]
    block: [8, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [1, 3, 2, -2147483648, 5, -1, 0, 2147483647, 2, 1, 3, 2147483647, 5,
          -1, -2147483648, 2147483647, 3, 2, 1, 0, 1, 7, -1, -2147483648]}
      - {kind: buf, dtype: int32, fill: 0, count: 8}
    expect:
      1: [2, 2, 2, 0, 5, -1, -1, 2147483647]
---*/
extern "C" __global__ void median_of_three(const int *in, int *out)
{
    unsigned t = threadIdx.x;
    int a = in[t];
    int b = in[t + 8];
    int c = in[t + 16];
    out[t] = max(min(a, b), min(max(a, b), c));
}
