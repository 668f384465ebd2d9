/*---
description: "Each lane adds as often as its own trip count says."
reference: "CUDA C++ Programming Guide, Atomic Functions"
features: [atom.global.add in a divergent loop]
tags: [published]
launches:
  - grid: [1, 1, 1]
    block: [8, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [3, 0, 5, 1, 9, 2, 0, 4]}
      - {kind: buf, dtype: int32, fill: 0, count: 4}
    expect:
      1: [40, 28, 22, 21]
---*/
extern "C" __global__ void add_in_uneven_loop(const int *in, int *sums)
{
    int t = threadIdx.x;
    for (int k = 0; k < in[t]; ++k)
        atomicAdd(&sums[k & 3], t + 1);
}
