/*---
description: "A three-way compare without the overflow that a difference would have."
reference: "ISO C++17, [expr.rel]"
features: [setp.s32, setp.u32, selp]
tags: [published]
launches:
  - grid: [1, 1, 1]
    block: [6, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [-2147483648, 2147483647, 0, -1, 5, 1, 2147483647, -2147483648, 0, 1,
          5, -1]}
      - {kind: buf, dtype: int32, fill: 0, count: 12}
    expect:
      1: [-1, 1, 0, -1, 0, 1, 1, -1, 0, 1, 0, -1]
---*/
extern "C" __global__ void three_way(const int *in, int *out)
{
    unsigned t = threadIdx.x;
    int a = in[t];
    int b = in[t + 6];
    out[t] = (a > b) - (a < b);
    out[t + 6] = ((unsigned)a > (unsigned)b) - ((unsigned)a < (unsigned)b);
}
