/*---
description: "All six relations of long long in bits 0 to 5: the low words count as unsigned once the high
  words are equal."
reference: "ISO C++17, [expr.rel], [expr.eq]"
features: [setp.s64]
launches:
  - grid: [1, 1, 1]
    block: [10, 1, 1]
    args:
      - {kind: buf, dtype: int64, data: [0, 4294967296, -1, -9223372036854775808, 9223372036854775807,
          4294967295, 4294967296, -4294967296, 5, 2147483648, 4294967296, 0, 0, 9223372036854775807,
          -9223372036854775808, 4294967296, 4294967295, -1, 5, 2147483647]}
      - {kind: buf, dtype: int64, fill: 0, count: 10}
    expect:
      1: [14, 50, 14, 14, 50, 14, 50, 14, 41, 50]
---*/
extern "C" __global__ void relations_64(const long long *in, long long *out)
{
    unsigned t = threadIdx.x;
    long long a = in[t];
    long long b = in[t + 10];
    out[t] = (long long)(((a == b) << 0) | ((a != b) << 1) | ((a < b) << 2) | ((a <= b) << 3) | ((a > b) << 4) | ((a >= b) << 5));
}
