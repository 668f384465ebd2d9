/*---
description: "Exchanges hand values around: what came out plus what stays in is what went in."
reference: "CUDA C++ Programming Guide, Atomic Functions"
features: [atom.global.exch.b32, old value]
covers: [atomic-old-value, atomic-kinds]
launches:
  - grid: [1, 1, 1]
    block: [8, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [7, -3, 12, 0, 45, -128, 9, 1]}
      - {kind: buf, dtype: int32, data: [1000]}
      - {kind: buf, dtype: int32, data: [0]}
    expect:
      1: [0]
      2: [943]
---*/
extern "C" __global__ void exchange_conserves(const int *in, int *cell, int *sum)
{
    int t = threadIdx.x;
    int old = atomicExch(cell, in[t]);
    atomicAdd(sum, old);
    __syncthreads();
    if (t == 0) {
        atomicAdd(sum, *cell);
        *cell = 0;
    }
}
