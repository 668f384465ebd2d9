/*---
description: "Each thread on its own word: old and new values of add, sub, min and max."
reference: "CUDA C++ Programming Guide, Atomic Functions"
features: [atom.global.add, atom.global.sub, atom.global.min, atom.global.max, old value]
covers: [atomic-old-value, atomic-kinds, min-max-signedness]
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
      1: [8, 0, 0, 4294967295, 2, 16, 16, 11, 2, 0, 4294967294, 1, 4, 0, 4294967294, 7, 3, 0, 1, 2147483647, 3,
          8, 7, 2, 5, 0, 4294967295, 2147483648, 4294967295, 8, 9, 9]
      2: [5, 0, 4294967295, 2147483648, 3, 8, 7, 9, 5, 0, 4294967295, 2147483648, 3, 8, 7, 9, 5, 0, 4294967295,
          2147483648, 3, 8, 7, 9, 5, 0, 4294967295, 2147483648, 3, 8, 7, 9]
---*/
extern "C" __global__ void own_cell_arithmetic(const unsigned *in, unsigned *cell, unsigned *old)
{
    int t = threadIdx.x;
    old[t + 0] = atomicAdd(&cell[t + 0], in[t]);
    old[t + 8] = atomicSub(&cell[t + 8], in[t]);
    old[t + 16] = atomicMin(&cell[t + 16], in[t]);
    old[t + 24] = atomicMax(&cell[t + 24], in[t]);
}
