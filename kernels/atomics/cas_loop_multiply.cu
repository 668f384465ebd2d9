/*---
description: "A compare-and-swap loop applies an operation that has no atomic of its own; the order does not
  matter."
reference: "CUDA C++ Programming Guide, Atomic Functions"
features: [atom.global.cas.b32 in a loop, mul]
covers: [atomic-kinds]
launches:
  - grid: [1, 1, 1]
    block: [8, 1, 1]
    args:
      - {kind: buf, dtype: uint32, data: [3, 5, 7, 11, 13, 17, 19, 4294967295]}
      - {kind: buf, dtype: uint32, data: [1]}
    expect:
      1: [4290117451]
---*/
extern "C" __global__ void cas_loop_multiply(const unsigned *in, unsigned *cell)
{
    unsigned v = in[threadIdx.x];
    unsigned seen = 1, old;
    while ((old = atomicCAS(cell, seen, seen * v)) != seen)
        seen = old;
}
