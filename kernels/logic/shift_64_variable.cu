/*---
description: "64-bit shifts by a run-time count below 64 in C++."
reference: "ISO C++17, [expr.shift]"
features: [shl.b64, shr.u64, shr.s64]
launches:
  - grid: [1, 1, 1]
    block: [6, 1, 1]
    args:
      - {kind: buf, dtype: uint64, data: [1, 18446744073709551615, 9223372036854775808, 1311768467463790320,
          9223372039002259457, 4294967295, 63, 32, 63, 4, 33, 0]}
      - {kind: buf, dtype: uint64, fill: 0, count: 18}
    expect:
      1: [9223372036854775808, 18446744069414584320, 0, 2541551405711093504, 8589934592, 4294967295, 0,
        4294967295, 1, 81985529216486895, 1073741824, 4294967295, 0, 18446744073709551615,
        18446744073709551615, 81985529216486895, 18446744072635809792, 4294967295]
---*/
extern "C" __global__ void shift_64_variable(const unsigned long long *in, unsigned long long *out)
{
    unsigned t = threadIdx.x;
    unsigned long long a = in[t];
    unsigned long long n = in[t + 6];
    out[t] = a << n;
    out[t + 6] = a >> n;
    out[t + 12] = (unsigned long long)((long long)a >> n);
}
