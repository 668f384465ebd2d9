/*---
description: "High halves of 64x64 products, signed and unsigned."
reference: "CUDA Math API, Integer Intrinsics: __mul64hi, __umul64hi"
features: [mul.hi.s64, mul.hi.u64]
covers: [mul-hi-wide]
launches:
  - grid: [1, 1, 1]
    block: [8, 1, 1]
    args:
      - {kind: buf, dtype: int64, data: [0, 1, -1, -9223372036854775808, 9223372036854775807, 4294967295,
          4294967296, 1311768467463790320, 0, -1, -1, -1, 1, 1, -4294967296, 1147797409030816545]}
      - {kind: buf, dtype: int64, fill: 0, count: 16}
    expect:
      1: [0, -1, 0, 0, 0, 0, -1, 81621149086635842, 0, 0, -2, 9223372036854775807, 0, 0, 4294967295,
        81621149086635842]
---*/
extern "C" __global__ void mul64hi_intrinsics(const long long *in, long long *out)
{
    unsigned t = threadIdx.x;
    long long a = in[t];
    long long b = in[t + 8];
    out[t] = __mul64hi(a, b);
    out[t + 8] = (long long)__umul64hi((unsigned long long)a, (unsigned long long)b);
}
