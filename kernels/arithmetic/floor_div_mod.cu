/*---
description: "Floor division and modulus built from the truncating ones, for all sign pairs."
reference: "ISO C++17, [expr.mul]"
features: [div.s32, rem.s32, selp]
tags: [published]
covers: [div-rem-edge]
launches:
  - grid: [1, 1, 1]
    block: [8, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [7, -7, 7, -7, 6, -6, -2147483648, 0, 3, 3, -3, -3, -3, 3, 10, -4]}
      - {kind: buf, dtype: int32, fill: 0, count: 16}
    expect:
      1: [2, -3, -3, 2, -2, -2, -214748365, 0, 1, 2, -2, -1, 0, 0, 2, 0]
---*/
extern "C" __global__ void floor_div_mod(const int *in, int *out)
{
    unsigned t = threadIdx.x;
    int a = in[t];
    int b = in[t + 8];
    int q = a / b;
    int r = a % b;
    if (r != 0 && (r < 0) != (b < 0)) {
        q -= 1;
        r += b;
    }
    out[t] = q;
    out[t + 8] = r;
}
