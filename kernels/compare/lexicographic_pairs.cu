/*---
description: "Pairs compared by their first part, then by their second; equal to one 64-bit comparison."
reference: "ISO C++17, [expr.rel]"
features: [setp.s32, setp.u32, setp.s64]
tags: [published]
launches:
  - grid: [1, 1, 1]
    block: [6, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [0, 0, -1, -2147483648, 5, 5, 0, -1, 7, 0, 5, -5, 0, 0, 0, 2147483647,
          5, 5, 1, 1, 7, 0, 5, 5]}
      - {kind: buf, dtype: int32, fill: 0, count: 12}
    expect:
      1: [1, 0, 1, 1, 0, 0, 1, 0, 1, 1, 0, 0]
---*/
extern "C" __global__ void lexicographic_pairs(const int *in, int *out)
{
    unsigned t = threadIdx.x;
    int ah = in[t];
    int al = in[t + 6];
    int bh = in[t + 12];
    int bl = in[t + 18];
    out[t] = ah < bh || (ah == bh && (unsigned)al < (unsigned)bl);
    out[t + 6] = ((long long)((unsigned long long)(unsigned)ah << 32 | (unsigned)al)) < ((long long)((unsigned long long)(unsigned)bh << 32 | (unsigned)bl));
}
