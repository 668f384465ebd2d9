/*---
description: "Of all threads that try, one wins the swap."
reference: "CUDA C++ Programming Guide, Atomic Functions"
features: [atom.global.cas.b32, old value]
covers: [atomic-old-value]
launches:
  - grid: [2, 1, 1]
    block: [6, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [0, 0, 4]}
      - {kind: buf, dtype: int32, data: [0, 0, 0]}
    expect:
      0: [7, 7, 4]
      1: [1, 1, 0]
---*/
extern "C" __global__ void cas_elects_one(int *flags, int *winners)
{
    int t = threadIdx.x;
    if (atomicCAS(&flags[t & 1], 0, 7) == 0)
        atomicAdd(&winners[t & 1], 1);
    if (atomicCAS(&flags[2], 5, 9) == 5)
        atomicAdd(&winners[2], 1);
}
