/*---
description: "Three levels of divergent ifs; every leaf is reached by one lane at least."
reference: "ISO C++17, [stmt.if]"
features: [bra, setp]
tags: [published]
launches:
  - grid: [1, 1, 1]
    block: [8, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [-5, -1, -1, -7, 0, 0, 11, 10, -2, -9, 0, 4, 10, 11, 11, 2147483647]}
      - {kind: buf, dtype: int32, fill: 0, count: 8}
    expect:
      1: [1, 2, 3, 4, 10, 30, 230, 30]
---*/
extern "C" __global__ void nested_if(const int *in, int *out)
{
    unsigned t = threadIdx.x;
    int a = in[t];
    int b = in[t + 8];
    int r;
    if (a < 0) {
        if (b < 0)
            r = a < b ? 1 : 2;
        else
            r = b == 0 ? 3 : 4;
    } else {
        r = 5;
        if (b > 10) {
            r += 10;
            if (a > 10)
                r += 100;
        }
        r *= 2;
    }
    out[t] = r;
}
