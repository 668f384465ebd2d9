/*---
description: "A 16-bit swap compares and changes its half of the word only, the low or the high one."
reference: "https://github.com/llvm/llvm-project/issues/61408"
features: [atom.global.cas.b16, old value]
tags: [bug]
covers: [atomic-kinds, atomic-old-value]
launches:
  - grid: [1, 1, 1]
    block: [8, 1, 1]
    args:
      - {kind: buf, dtype: uint16, data: [0, 1, 65535, 2, 32768, 3, 5, 4, 100, 5, 6, 7, 7, 8, 40000, 65535]}
      - {kind: buf, dtype: uint16, data: [0, 2, 32767, 5, 356, 7, 7, 65535]}
      - {kind: buf, dtype: uint16, fill: 0, count: 8}
    expect:
      0: [60000, 1, 65535, 60001, 32768, 3, 5, 4, 100, 5, 6, 60005, 60006, 8, 40000, 60007]
      2: [0, 2, 32768, 4, 100, 7, 7, 65535]
---*/
extern "C" __global__ void cas_16(unsigned short *cell, const unsigned short *want, unsigned short *old)
{
    int t = threadIdx.x;
    int at = 2 * t + (t & 1);
    old[t] = atomicCAS(&cell[at], want[t], (unsigned short)(60000 + t));
}
