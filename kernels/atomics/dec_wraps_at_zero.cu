/*---
description: "Counting down to zero and on from the limit."
reference: "CUDA C++ Programming Guide, Atomic Functions"
features: [atom.global.dec.u32]
covers: [atomic-kinds]
launches:
  - grid: [2, 1, 1]
    block: [7, 1, 1]
    args:
      - {kind: buf, dtype: uint32, data: [0, 2]}
      - {kind: u32, value: 4}
    expect:
      0: [2, 1]
  - grid: [2, 1, 1]
    block: [7, 1, 1]
    args:
      - {kind: buf, dtype: uint32, data: [0, 2]}
      - {kind: u32, value: 2}
    expect:
      0: [1, 2]
  - grid: [2, 1, 1]
    block: [7, 1, 1]
    args:
      - {kind: buf, dtype: uint32, data: [0, 2]}
      - {kind: u32, value: 100}
    expect:
      0: [93, 97]
---*/
extern "C" __global__ void dec_wraps_at_zero(unsigned *cell, unsigned limit)
{
    atomicDec(&cell[threadIdx.x & 1], limit);
}
