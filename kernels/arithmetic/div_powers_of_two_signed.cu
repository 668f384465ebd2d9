/*---
description: "Signed division and remainder by powers of two: an arithmetic shift alone would round the wrong
  way."
reference: "ISO C++17, [expr.mul]"
features: [shr.s32, shr.u32, add.s32]
tags: [published]
covers: [div-rem-edge]
launches:
  - grid: [1, 1, 1]
    block: [8, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [0, 1, -1, -2147483648, 2147483647, -4, -5, 31]}
      - {kind: buf, dtype: int32, fill: 0, count: 40}
    expect:
      1: [0, 0, 0, -1073741824, 1073741823, -2, -2, 15, 0, 0, 0, -134217728, 134217727, 0, 0, 1, 0, 0, 0, -2,
        1, 0, 0, 0, 0, 1, -1, 0, 3, 0, -1, 3, 0, 1, -1, 0, 1073741823, -4, -5, 31]
---*/
extern "C" __global__ void div_powers_of_two_signed(const int *in, int *out)
{
    unsigned t = threadIdx.x;
    int a = in[t];
    out[t] = a / 2;
    out[t + 8] = a / 16;
    out[t + 16] = a / (1 << 30);
    out[t + 24] = a % 4;
    out[t + 32] = a % (1 << 30);
}
