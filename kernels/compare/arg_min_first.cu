/*---
description: "The index of the smallest element of a row; of equal ones the first."
reference: "ISO C++17, [expr.rel]"
features: [setp.lt.s32, loop, selp]
tags: [published]
launches:
  - grid: [1, 1, 1]
    block: [4, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [3, -1, 4, -1, 5, 0, 0, 0, 0, 0, 2147483647, -2147483648, -1,
          -2147483648, 0, 9, 8, 7, 6, -2147483648]}
      - {kind: buf, dtype: int32, fill: 0, count: 8}
      - {kind: i32, value: 5}
    expect:
      1: [1, -1, 0, 0, 1, -2147483648, 4, -2147483648]
---*/
extern "C" __global__ void arg_min_first(const int *in, int *out, int n)
{
    int row = (int)threadIdx.x * n;
    int best = in[row];
    int where = 0;
    for (int i = 1; i < n; ++i) {
        int v = in[row + i];
        if (v < best) {
            best = v;
            where = i;
        }
    }
    out[2 * threadIdx.x] = where;
    out[2 * threadIdx.x + 1] = best;
}
