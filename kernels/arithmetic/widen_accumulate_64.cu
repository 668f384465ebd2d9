/*---
description: "A long long accumulator over int products keeps what a 32-bit one would lose."
reference: "ISO C++17, [conv.integral]"
features: [mul.wide.s32, add.s64, cvt.s64.s32]
tags: [published]
covers: [mul-hi-wide]
launches:
  - grid: [1, 1, 1]
    block: [4, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [-2147483648, 2147483647, -1, 65536, -2147483648, 2147483647,
          -2147483648, 65536, -1, 2, 3, -4]}
      - {kind: buf, dtype: int64, fill: 0, count: 8}
    expect:
      1: [4611686020574871552, 4611686018427387903, 2147483645, 4294705152, -4294967297, 4294967296,
        -2147483646, 131068]
---*/
extern "C" __global__ void widen_accumulate_64(const int *in, long long *out)
{
    unsigned t = threadIdx.x;
    int a = in[t];
    int b = in[t + 4];
    int c = in[t + 8];
    out[t] = (long long)a * b + (long long)c * a;
    out[t + 4] = (long long)a + b + c;
}
