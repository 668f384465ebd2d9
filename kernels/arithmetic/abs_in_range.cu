/*---
description: "abs() of every representable magnitude; INT_MIN is left to the PTX case."
reference: "ISO C17 7.22.6.1, CUDA Math API"
features: [abs.s32]
tags: [published]
launches:
  - grid: [1, 1, 1]
    block: [8, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [0, 1, -1, 2147483647, -2147483647, -65536, 65535, -123456]}
      - {kind: buf, dtype: int32, fill: 0, count: 16}
    expect:
      1: [0, 1, 1, 2147483647, 2147483647, 65536, 65535, 123456, 0, -1, -1, -2147483647, -2147483647, -65536,
        -65535, -123456]
---*/
extern "C" __global__ void abs_in_range(const int *in, int *out)
{
    unsigned t = threadIdx.x;
    int a = in[t];
    out[t] = abs(a);
    out[t + 8] = -abs(a);
}
