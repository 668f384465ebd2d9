/*---
description: "Each thread records the one that came before it: the result is the order of the threads."
reference: "PTX ISA, Parallel Synchronization and Communication Instructions: atom.exch"
features: [atom.exch]
launches:
  - grid: [1, 1, 1]
    block: [8, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [-1]}
      - {kind: buf, dtype: int32, fill: 0, count: 8}
    verdict: ORDER_DEPENDENT
---*/
extern "C" __global__ void arrival_order(int *last, int *out)
{
    int t = (int)threadIdx.x;
    out[t] = atomicExch(last, t);
}
