/*---
description: "Compaction by tickets keeps the values, not their order."
reference: "CUDA C++ Programming Guide, Atomic Functions"
features: [atom.global.add old value, compaction]
tags: [order]
covers: [order-hides-races]
launches:
  - grid: [1, 1, 1]
    block: [12, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [4, -1, 0, 6, -2, -3, -4, -5, 1, 2, 3, 9]}
      - {kind: buf, dtype: int32, fill: 0, count: 12}
      - {kind: buf, dtype: int32, data: [0]}
    verdict: ORDER_DEPENDENT
---*/
extern "C" __global__ void order_compaction(const int *in, int *out, int *count)
{
    int v = in[threadIdx.x];
    if (v > 0)
        out[atomicAdd(count, 1)] = v;
}
