/*---
description: "Unsigned data above 2^31 and 2^63 pass through unchanged."
reference: "https://github.com/intel/intel-xpu-backend-for-triton/issues/2058"
features: [ld.global.u64, add, wrap]
tags: [bug]
covers: [host-integer-range]
launches:
  - grid: [1, 1, 1]
    block: [4, 1, 1]
    args:
      - {kind: buf, dtype: uint32, data: [4294967295, 2147483648, 2147483647, 3000000000]}
      - {kind: buf, dtype: uint32, fill: 0, count: 4}
      - {kind: buf, dtype: uint64, data: [18446744073709551615, 9223372036854775808, 9223372036854775807,
          4294967296]}
      - {kind: buf, dtype: uint64, fill: 0, count: 4}
    expect:
      1: [0, 2147483649, 2147483648, 3000000001]
      3: [4294967294, 9223372039002259456, 9223372039002259454, 7294967296]
---*/
extern "C" __global__ void large_unsigned_values(const unsigned *in, unsigned *out,
                                                 const unsigned long long *wide, unsigned long long *sum)
{
    int t = threadIdx.x;
    out[t] = in[t] + 1u;
    sum[t] = wide[t] + in[t];
}
