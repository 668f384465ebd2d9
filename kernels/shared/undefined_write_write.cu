/*---
description: "Two threads store different values to one shared word without an order between them."
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
extern "C" __global__ void undefined_write_write(const int *in, int *out)
{
    __shared__ int slot[4];
    int t = threadIdx.x;
    slot[t & 3] = in[t];
    __syncthreads();
    out[t] = slot[t & 3];
}
