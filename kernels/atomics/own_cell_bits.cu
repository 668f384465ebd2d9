/*---
description: "Each thread on its own word: old and new values of and, or, xor and exch."
reference: "CUDA C++ Programming Guide, Atomic Functions"
features: [atom.global.and, atom.global.or, atom.global.xor, atom.global.exch, old value]
covers: [atomic-old-value, atomic-kinds]
launches:
  - grid: [1, 1, 1]
    block: [8, 1, 1]
    args:
      - {kind: buf, dtype: uint32, data: [3, 0, 1, 2147483647, 4294967295, 8, 9, 2]}
      - {kind: buf, dtype: uint32, data: [5, 0, 4294967295, 2147483648, 3, 8, 7, 9, 5, 0, 4294967295,
          2147483648, 3, 8, 7, 9, 5, 0, 4294967295, 2147483648, 3, 8, 7, 9, 5, 0, 4294967295, 2147483648, 3, 8,
          7, 9]}
      - {kind: buf, dtype: uint32, fill: 0, count: 32}
    expect:
      1: [1, 0, 1, 0, 3, 8, 1, 0, 7, 0, 4294967295, 4294967295, 4294967295, 8, 15, 11, 6, 0, 4294967294,
          4294967295, 4294967292, 0, 14, 11, 3, 0, 1, 2147483647, 4294967295, 8, 9, 2]
      2: [5, 0, 4294967295, 2147483648, 3, 8, 7, 9, 5, 0, 4294967295, 2147483648, 3, 8, 7, 9, 5, 0, 4294967295,
          2147483648, 3, 8, 7, 9, 5, 0, 4294967295, 2147483648, 3, 8, 7, 9]
---*/
extern "C" __global__ void own_cell_bits(const unsigned *in, unsigned *cell, unsigned *old)
{
    int t = threadIdx.x;
    old[t + 0] = atomicAnd(&cell[t + 0], in[t]);
    old[t + 8] = atomicOr(&cell[t + 8], in[t]);
    old[t + 16] = atomicXor(&cell[t + 16], in[t]);
    old[t + 24] = atomicExch(&cell[t + 24], in[t]);
}
