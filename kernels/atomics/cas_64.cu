/*---
description: "A 64-bit swap compares both halves."
reference: "CUDA C++ Programming Guide, Atomic Functions"
features: [atom.global.cas.b64, old value]
covers: [atomic-kinds, atomic-old-value]
launches:
  - grid: [1, 1, 1]
    block: [4, 1, 1]
    args:
      - {kind: buf, dtype: uint64, data: [4294967301, 4294967301, 4294967301, 18446744073709551615]}
      - {kind: buf, dtype: uint64, data: [4294967301, 5, 8589934597, 18446744073709551615]}
      - {kind: buf, dtype: uint64, fill: 0, count: 4}
    expect:
      0: [77, 4294967301, 4294967301, 80]
      2: [4294967301, 4294967301, 4294967301, 18446744073709551615]
---*/
extern "C" __global__ void cas_64(unsigned long long *cell, const unsigned long long *want,
                                  unsigned long long *old)
{
    int t = threadIdx.x;
    old[t] = atomicCAS(&cell[t], want[t], 77ull + t);
}
