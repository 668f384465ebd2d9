/*---
description: "A reader that does not wait for the writer is a race even if one order of threads gives the wanted
  values."
reference: "CUDA C++ Programming Guide, Synchronization Functions"
features: [race on shared memory]
tags: [undefined]
covers: [order-hides-races]
launches:
  - grid: [1, 1, 1]
    block: [8, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [7, -3, 12, 0, 45, -128, 9, 1]}
      - {kind: buf, dtype: int32, fill: 0, count: 8}
    verdict: UNDEFINED
---*/
extern "C" __global__ void undefined_missing_barrier(const int *in, int *out)
{
    __shared__ int slot[8];
    int t = threadIdx.x;
    slot[t] = in[t];
    out[t] = slot[(t + 4) & 7];
}
