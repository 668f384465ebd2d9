/*---
description: "A 16-bit swap compares and changes its half of the word only."
reference: "https://github.com/llvm/llvm-project/issues/61408"
features: [atom.global.cas.b16, old value]
tags: [bug]
covers: [atomic-kinds, atomic-old-value]
launches:
  - grid: [1, 1, 1]
    block: [8, 1, 1]
    args:
      - {kind: buf, dtype: uint16, data: [0, 65535, 32768, 5, 100, 7, 7, 40000]}
      - {kind: buf, dtype: uint16, data: [0, 65535, 32767, 5, 356, 7, 8, 40000]}
      - {kind: buf, dtype: uint16, fill: 0, count: 8}
    expect:
      0: [60000, 60001, 32768, 60003, 100, 60005, 7, 60007]
      2: [0, 65535, 32768, 5, 100, 7, 7, 40000]
---*/
extern "C" __global__ void cas_16(unsigned short *cell, const unsigned short *want, unsigned short *old)
{
    int t = threadIdx.x;
    old[t] = atomicCAS(&cell[t], want[t], (unsigned short)(60000 + t));
}
