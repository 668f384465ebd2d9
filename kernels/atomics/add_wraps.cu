/*---
description: "Atomic addition wraps modulo 2^32, signed or not."
reference: "CUDA C++ Programming Guide, Atomic Functions"
features: [atom.global.add, wrap]
tags: [published]
covers: [atomic-kinds]
launches:
  - grid: [1, 1, 1]
    block: [6, 1, 1]
    args:
      - {kind: buf, dtype: uint32, data: [4294967295, 2147483648, 5, 3000000000, 1, 2147483647]}
      - {kind: buf, dtype: uint32, data: [4000000000]}
      - {kind: buf, dtype: int32, data: [2147483647]}
    expect:
      1: [2705032708]
      2: [852516355]
---*/
extern "C" __global__ void add_wraps(const unsigned *in, unsigned *sum, int *low)
{
    int t = threadIdx.x;
    atomicAdd(sum, in[t]);
    atomicAdd(low, (int)in[t]);
}
