/*---
description: "A sum over eight lanes in one warp; smaller warps cannot reach all of them."
reference: "CUDA C++ Programming Guide, Warp Shuffle Functions"
features: [shfl.sync.bfly, width 32]
tags: [warp-size]
launches:
  - grid: [1, 1, 1]
    block: [8, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [7, -3, 12, 0, 45, -12, 9, 1]}
      - {kind: buf, dtype: int32, fill: 0, count: 8}
    expect:
      1: [59, 59, 59, 59, 59, 59, 59, 59]
    verdict: WARP_SIZE_DEPENDENT
    needs: [warp32]
---*/
extern "C" __global__ void warp32_butterfly(const int *in, int *out)
{
    int t = threadIdx.x;
    int v = in[t];
    for (int lanes = 4; lanes > 0; lanes >>= 1)
        v += __shfl_xor_sync(0xffffffffu, v, lanes);
    out[t] = v;
}
