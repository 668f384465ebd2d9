/*---
description: "A range test by two compares and by one unsigned compare of the shifted value agree, for ranges
  across zero too."
reference: "Warren, Hacker's Delight, 4-1"
features: [setp.ge.s32, setp.le.u32, sub.s32]
tags: [published]
launches:
  - grid: [1, 1, 1]
    block: [8, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [0, -5, 10, 11, -2147483648, 2147483647, -6, 5, -5, -5, -5, -5,
          -2147483648, 0, -5, 5, 10, 10, 10, 10, -1, 2147483647, 10, 5]}
      - {kind: buf, dtype: int32, fill: 0, count: 16}
    expect:
      1: [1, 1, 1, 0, 1, 1, 0, 1, 1, 1, 1, 0, 1, 1, 0, 1]
---*/
extern "C" __global__ void range_check(const int *in, int *out)
{
    unsigned t = threadIdx.x;
    int a = in[t];
    int lo = in[t + 8];
    int hi = in[t + 16];
    out[t] = a >= lo && a <= hi;
    out[t + 8] = (unsigned)a - (unsigned)lo <= (unsigned)hi - (unsigned)lo;
}
