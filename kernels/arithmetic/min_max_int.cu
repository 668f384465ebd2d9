/*---
description: "min and max of int compare as signed numbers."
reference: "PTX ISA, Integer Arithmetic Instructions: min, max"
features: [min.s32, max.s32]
tags: [published]
covers: [min-max-signedness]
launches:
  - grid: [1, 1, 1]
    block: [8, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [0, 1, -1, -2147483648, 2147483647, 65535, -65536, 123456789, 0, 1, 0,
          2147483647, -2147483648, -1, 65535, 123456789]}
      - {kind: buf, dtype: int32, fill: 0, count: 16}
    expect:
      1: [0, 1, -1, -2147483648, -2147483648, -1, -65536, 123456789, 0, 1, 0, 2147483647, 2147483647, 65535,
        65535, 123456789]
---*/
extern "C" __global__ void min_max_int(const int *in, int *out)
{
    unsigned t = threadIdx.x;
    int a = in[t];
    int b = in[t + 8];
    out[t] = min(a, b);
    out[t + 8] = max(a, b);
}
