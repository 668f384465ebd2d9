/*---
description: "Which exchange comes last is open."
reference: "CUDA C++ Programming Guide, Atomic Functions"
features: [atom.global.exch]
tags: [order]
covers: [order-hides-races]
launches:
  - grid: [2, 1, 1]
    block: [8, 1, 1]
    args:
      - {kind: buf, dtype: int32, range: [100, 16, 1]}
      - {kind: buf, dtype: int32, data: [0]}
    verdict: ORDER_DEPENDENT
---*/
extern "C" __global__ void order_last_exchange(const int *in, int *cell)
{
    atomicExch(cell, in[blockIdx.x * blockDim.x + threadIdx.x]);
}
