/*---
description: "Each thread on its own word: old and new values of inc and dec, limits at both edges."
reference: "CUDA C++ Programming Guide, Atomic Functions"
features: [atom.global.inc, atom.global.dec, old value]
covers: [atomic-old-value, atomic-kinds]
launches:
  - grid: [1, 1, 1]
    block: [8, 1, 1]
    args:
      - {kind: buf, dtype: uint32, data: [3, 0, 1, 2147483647, 4294967295, 8, 9, 2]}
      - {kind: buf, dtype: uint32, data: [5, 0, 4294967295, 2147483648, 3, 8, 7, 9, 5, 0, 4294967295,
          2147483648, 3, 8, 7, 9]}
      - {kind: buf, dtype: uint32, fill: 0, count: 16}
    expect:
      1: [0, 0, 0, 0, 4, 0, 8, 0, 3, 0, 1, 2147483647, 2, 7, 6, 2]
      2: [5, 0, 4294967295, 2147483648, 3, 8, 7, 9, 5, 0, 4294967295, 2147483648, 3, 8, 7, 9]
---*/
extern "C" __global__ void own_cell_counters(const unsigned *in, unsigned *cell, unsigned *old)
{
    int t = threadIdx.x;
    old[t + 0] = atomicInc(&cell[t + 0], in[t]);
    old[t + 8] = atomicDec(&cell[t + 8], in[t]);
}
