/*---
description: "64-bit minimum and maximum, signed and unsigned: the high half decides, with or without a sign."
reference: "CUDA C++ Programming Guide, Atomic Functions"
features: [atom.global.min.s64, atom.global.max.s64, atom.global.min.u64, atom.global.max.u64]
covers: [atomic-kinds, min-max-signedness]
launches:
  - grid: [1, 1, 1]
    block: [4, 1, 1]
    args:
      - {kind: buf, dtype: int64, data: [-1099511627776, 4611686018427387904, -1, 8589934592]}
      - {kind: buf, dtype: int64, data: [0, 0]}
      - {kind: buf, dtype: uint64, data: [1099511627776, 0]}
    expect:
      1: [-1099511627776, 4611686018427387904]
      2: [8589934592, 18446744073709551615]
---*/
extern "C" __global__ void min_max_64(const long long *in, long long *out, unsigned long long *raw)
{
    int t = threadIdx.x;
    atomicMin(&out[0], in[t]);
    atomicMax(&out[1], in[t]);
    atomicMin(&raw[0], (unsigned long long)in[t]);
    atomicMax(&raw[1], (unsigned long long)in[t]);
}
