/*---
description: "Conversion to bool gives 1 for any non-zero word, also for 256, whose low byte is zero."
reference: "ISO C++17, [conv.bool]"
features: [setp.ne, selp]
tags: [published]
launches:
  - grid: [1, 1, 1]
    block: [8, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [0, 1, 256, -2147483648, -1, 65536, 2, 16777216]}
      - {kind: buf, dtype: int32, fill: 0, count: 16}
    expect:
      1: [0, 2, 2, 2, 2, 2, 2, 2, 0, 1, 0, 0, 1, 0, 1, 0]
---*/
extern "C" __global__ void bool_normalised(const int *in, int *out)
{
    unsigned t = threadIdx.x;
    int a = in[t];
    bool p = a;
    bool q = (bool)((unsigned)a);
    out[t] = (int)p + (int)q;
    out[t + 8] = (int)(signed char)a != 0;
}
