/*---
description: "The smallest of each group of four, found by steps down, stored by the first lane."
reference: "CUDA C++ Programming Guide, Warp Shuffle Functions"
features: [shfl.sync.down, min.s32]
tags: [published, algorithm]
covers: [min-max-signedness]
launches:
  - grid: [1, 1, 1]
    block: [16, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [7, -3, 12, 0, 45, -128, 9, 1, 5, 4, 3, 6, -1, -1, 0, -2]}
      - {kind: buf, dtype: int32, fill: 0, count: 4}
    expect:
      1: [-3, -128, 3, -2]
---*/
extern "C" __global__ void shfl_reduce_min(const int *in, int *out)
{
    int t = threadIdx.x;
    int v = in[t];
    v = min(v, __shfl_down_sync(0xffffffffu, v, 2, 4));
    v = min(v, __shfl_down_sync(0xffffffffu, v, 1, 4));
    if ((t & 3) == 0)
        out[t >> 2] = v;
}
