/*---
description: "The ballot of eight threads of one warp."
reference: "CUDA C++ Programming Guide, Warp Vote Functions"
features: [vote.sync.ballot, mask 0xff]
tags: [warp-size]
covers: [activemask-ballot]
launches:
  - grid: [1, 1, 1]
    block: [8, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [7, -3, 12, 0, 45, -12, 9, 1]}
      - {kind: buf, dtype: uint32, fill: 0, count: 8}
    expect:
      1: [213, 213, 213, 213, 213, 213, 213, 213]
    verdict: WARP_SIZE_DEPENDENT
    needs: [warp32]
---*/
extern "C" __global__ void warp32_ballot(const int *in, unsigned *out)
{
    int t = threadIdx.x;
    out[t] = __ballot_sync(0xffffffffu, in[t] > 0);
}
