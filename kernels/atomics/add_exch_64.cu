/*---
description: "64-bit atomic add, subtract by negation, and exchange, each thread on its own cell."
reference: "CUDA C++ Programming Guide, Atomic Functions"
features: [atom.global.add.u64, atom.global.exch.b64, old value]
covers: [atomic-kinds, atomic-old-value]
launches:
  - grid: [1, 1, 1]
    block: [4, 1, 1]
    args:
      - {kind: buf, dtype: uint64, data: [4294967295, 9223372036854775808, 18446744073709551610, 1]}
      - {kind: buf, dtype: uint64, data: [1099511627776, 9223372036854775808, 5, 18446744073709551615,
          1099511627776, 9223372036854775808, 5, 18446744073709551615]}
      - {kind: buf, dtype: uint64, fill: 0, count: 8}
    expect:
      1: [1103806595071, 0, 18446744073709551615, 0, 4294967295, 9223372036854775808, 18446744073709551610, 1]
      2: [1099511627776, 9223372036854775808, 5, 18446744073709551615, 1099511627776, 9223372036854775808, 5,
          18446744073709551615]
---*/
extern "C" __global__ void add_exch_64(const unsigned long long *in, unsigned long long *cell,
                                       unsigned long long *old)
{
    int t = threadIdx.x;
    old[t] = atomicAdd(&cell[t], in[t]);
    old[t + 4] = atomicExch(&cell[t + 4], in[t]);
}
