/*---
description: "64-bit counts: leading zeros up to 64, set bits in both words, first set bit in the upper word."
reference: "CUDA Math API, Integer Intrinsics: __clzll, __popcll, __ffsll, __brevll"
features: [clz.b64, popc.b64, brev.b64]
covers: [clz-popc-64]
launches:
  - grid: [1, 1, 1]
    block: [8, 1, 1]
    args:
      - {kind: buf, dtype: uint64, data: [0, 1, 18446744073709551615, 9223372036854775808, 4294967296,
          4294967295, 1311768467463790320, 2147483648]}
      - {kind: buf, dtype: uint64, fill: 0, count: 32}
    expect:
      1: [64, 63, 0, 0, 31, 32, 3, 32, 0, 1, 64, 1, 1, 32, 32, 1, 0, 1, 1, 64, 33, 1, 5, 32, 0,
        9223372036854775808, 18446744073709551615, 1, 2147483648, 18446744069414584320, 1115552785675988040,
        4294967296]
---*/
extern "C" __global__ void clz_popc_ffs_64(const unsigned long long *in, unsigned long long *out)
{
    unsigned t = threadIdx.x;
    unsigned long long a = in[t];
    out[t] = (unsigned long long)__clzll((long long)a);
    out[t + 8] = (unsigned long long)__popcll(a);
    out[t + 16] = (unsigned long long)__ffsll((long long)a);
    out[t + 24] = __brevll(a);
}
