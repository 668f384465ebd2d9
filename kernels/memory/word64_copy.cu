/*---
description: "64-bit loads and stores keep both halves; the sum of halves is stored as a word."
reference: "PTX ISA, Data Movement: ld"
features: [ld.global.u64, st.global.u64, mov.b64, cvt.u32.u64]
launches:
  - grid: [1, 1, 1]
    block: [8, 1, 1]
    args:
      - {kind: buf, dtype: int64, data: [1, -1, 1099511627776, -1099511627773, 9223372036854775807,
          -9223372036854775808, 4294967295, 4294967296]}
      - {kind: buf, dtype: int64, fill: 0, count: 8}
      - {kind: buf, dtype: uint32, fill: 0, count: 8}
    expect:
      1: [4294967296, 4294967295, -9223372036854775808, 9223372036854775807, -1099511627773, 1099511627776, -1,
          1]
      2: [1, 4294967294, 256, 4294967043, 2147483646, 2147483648, 4294967295, 1]
---*/
extern "C" __global__ void word64_copy(const long long *in, long long *out, unsigned *halves)
{
    int t = threadIdx.x;
    unsigned long long bits = (unsigned long long)in[t];
    out[7 - t] = in[t];
    halves[t] = (unsigned)bits + (unsigned)(bits >> 32);
}
