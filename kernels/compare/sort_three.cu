/*---
description: "Three values sorted by compare and swap."
reference: "ISO C++17, [expr.rel]"
features: [setp.gt.s32, selp]
tags: [published]
launches:
  - grid: [1, 1, 1]
    block: [8, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [1, 3, 2, -2147483648, 5, -1, 0, 2147483647, 2, 1, 3, 2147483647, 5,
          -1, -2147483648, 2147483647, 3, 2, 1, 0, 1, 7, -1, -2147483648]}
      - {kind: buf, dtype: int32, fill: 0, count: 24}
    expect:
      1: [1, 1, 1, -2147483648, 1, -1, -2147483648, -2147483648, 2, 2, 2, 0, 5, -1, -1, 2147483647, 3, 3, 3,
        2147483647, 5, 7, 0, 2147483647]
---*/
extern "C" __global__ void sort_three(const int *in, int *out)
{
    unsigned t = threadIdx.x;
    int a = in[t];
    int b = in[t + 8];
    int c = in[t + 16];
    if (a > b) {
        int s = a;
        a = b;
        b = s;
    }
    if (b > c) {
        int s = b;
        b = c;
        c = s;
    }
    if (a > b) {
        int s = a;
        a = b;
        b = s;
    }
    out[t] = a;
    out[t + 8] = b;
    out[t + 16] = c;
}
