/*---
description: "The sign of a word as -1, 0 or 1, by compares and by shifts."
reference: "Warren, Hacker's Delight, 2-8"
features: [setp, selp, shr.s32]
tags: [published]
launches:
  - grid: [1, 1, 1]
    block: [8, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [0, 1, -1, -2147483648, 2147483647, 42, -42, 65536]}
      - {kind: buf, dtype: int32, fill: 0, count: 16}
    expect:
      1: [0, 1, -1, -1, 1, 1, -1, 1, 0, 1, -1, -1, 1, 1, -1, 1]
---*/
extern "C" __global__ void sign_function(const int *in, int *out)
{
    unsigned t = threadIdx.x;
    int a = in[t];
    out[t] = (a > 0) - (a < 0);
    out[t + 8] = (a >> 31) | (int)((0u - (unsigned)a) >> 31);
}
