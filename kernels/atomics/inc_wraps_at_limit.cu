/*---
description: "Counting up to a limit and on from zero."
reference: "https://github.com/eyalroz/cuda-kat/issues/16"
features: [atom.global.inc.u32]
tags: [bug]
covers: [atomic-kinds]
launches:
  - grid: [2, 1, 1]
    block: [7, 1, 1]
    args:
      - {kind: buf, dtype: uint32, data: [0, 2]}
      - {kind: u32, value: 4}
    expect:
      0: [3, 3]
  - grid: [2, 1, 1]
    block: [7, 1, 1]
    args:
      - {kind: buf, dtype: uint32, data: [0, 2]}
      - {kind: u32, value: 2}
    expect:
      0: [2, 2]
  - grid: [2, 1, 1]
    block: [7, 1, 1]
    args:
      - {kind: buf, dtype: uint32, data: [0, 2]}
      - {kind: u32, value: 100}
    expect:
      0: [8, 8]
---*/
extern "C" __global__ void inc_wraps_at_limit(unsigned *cell, unsigned limit)
{
    atomicInc(&cell[threadIdx.x & 1], limit);
}
