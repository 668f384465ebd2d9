/*---
description: "Additions and a maximum on one word do not commute."
reference: "CUDA C++ Programming Guide, Atomic Functions"
features: [atom.global.add, atom.global.max]
tags: [order]
covers: [order-hides-races]
launches:
  - grid: [1, 1, 1]
    block: [8, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [1, 2, 3, 4, 5, 6, 7, 8]}
      - {kind: buf, dtype: int32, data: [0]}
    verdict: ORDER_DEPENDENT
---*/
extern "C" __global__ void order_non_commuting(const int *in, int *cell)
{
    int t = threadIdx.x;
    if (t & 1)
        atomicAdd(cell, in[t]);
    else
        atomicMax(cell, in[t] * 10);
}
