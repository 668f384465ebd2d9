/*---
description: "The odd lanes of a group of four exchange among themselves inside a branch; the mask names just
  them."
reference: "CUDA C++ Programming Guide, Warp Shuffle Functions"
features: [shfl.sync.idx, member mask 0xa]
tags: [published]
covers: [activemask-ballot]
launches:
  - grid: [2, 1, 1]
    block: [4, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [7, -3, 12, 0, 45, -128, 9, 1]}
      - {kind: buf, dtype: int32, fill: 0, count: 8}
    expect:
      1: [14, 3, 24, -3, 90, 129, 18, -129]
---*/
extern "C" __global__ void shfl_in_divergent_branch(const int *in, int *out)
{
    int t = threadIdx.x;
    int v = in[blockIdx.x * 4 + t];
    int r = v * 2;
    if (t & 1)
        r = __shfl_sync(0xau, v, 4 - t, 4) - v;
    out[blockIdx.x * 4 + t] = r;
}
