/*---
description: "All six relations of unsigned long long in bits 0 to 5."
reference: "ISO C++17, [expr.rel], [expr.eq]"
features: [setp.u64]
launches:
  - grid: [1, 1, 1]
    block: [10, 1, 1]
    args:
      - {kind: buf, dtype: uint64, data: [0, 4294967296, 18446744073709551615, 9223372036854775808,
          9223372036854775807, 4294967295, 4294967296, 18446744069414584320, 5, 2147483648, 4294967296, 0, 0,
          9223372036854775807, 9223372036854775808, 4294967296, 4294967295, 18446744073709551615, 5,
          2147483647]}
      - {kind: buf, dtype: uint64, fill: 0, count: 10}
    expect:
      1: [14, 50, 50, 50, 14, 14, 50, 14, 41, 50]
---*/
extern "C" __global__ void relations_unsigned_64(const unsigned long long *in, unsigned long long *out)
{
    unsigned t = threadIdx.x;
    unsigned long long a = in[t];
    unsigned long long b = in[t + 10];
    out[t] = (unsigned long long)(((a == b) << 0) | ((a != b) << 1) | ((a < b) << 2) | ((a <= b) << 3) | ((a > b) << 4) | ((a >= b) << 5));
}
