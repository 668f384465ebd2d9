/*---
description: "A compare-and-swap loop with an operation that does not commute."
reference: "CUDA C++ Programming Guide, Atomic Functions"
features: [atom.global.cas.b32 in a loop, mul]
tags: [order]
covers: [order-hides-races]
launches:
  - grid: [1, 1, 1]
    block: [8, 1, 1]
    args:
      - {kind: buf, dtype: uint32, data: [1, 2, 3, 4, 5, 6, 7, 8]}
      - {kind: buf, dtype: uint32, data: [1]}
    verdict: ORDER_DEPENDENT
---*/
extern "C" __global__ void order_cas_loop(const unsigned *in, unsigned *cell)
{
    unsigned v = in[threadIdx.x];
    unsigned seen = 1, old;
    while ((old = atomicCAS(cell, seen, seen * 3 + v)) != seen)
        seen = old;
}
