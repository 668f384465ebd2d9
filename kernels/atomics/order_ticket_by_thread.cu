/*---
description: "Which thread gets which ticket is open: storing it by thread depends on the order."
reference: "CUDA C++ Programming Guide, Atomic Functions"
features: [atom.global.add old value]
tags: [order]
covers: [order-hides-races, atomic-old-value]
launches:
  - grid: [2, 1, 1]
    block: [8, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [0]}
      - {kind: buf, dtype: int32, fill: 0, count: 16}
    verdict: ORDER_DEPENDENT
---*/
extern "C" __global__ void order_ticket_by_thread(int *counter, int *out)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    out[t] = atomicAdd(counter, 1);
}
