/*---
description: "The first lane that holds the condition is elected from the ballot and its value shuffled to all."
reference: "CUDA C++ Programming Guide, Warp Vote Functions"
features: [vote.sync.ballot, ffs, shfl.sync.idx]
tags: [algorithm]
launches:
  - grid: [3, 1, 1]
    block: [4, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [4, -1, 0, 6, -2, -3, -4, -5, 1, 2, 3, 9]}
      - {kind: buf, dtype: int32, fill: 0, count: 12}
    expect:
      1: [4, 4, 4, 4, -99, -99, -99, -99, 2, 2, 2, 2]
---*/
extern "C" __global__ void vote_elect_first(const int *in, int *out)
{
    int at = blockIdx.x * 4 + threadIdx.x;
    int v = in[at];
    unsigned votes = __ballot_sync(0xfu, v > 1);
    int first = votes == 0 ? 0 : __ffs(votes) - 1;
    int chosen = __shfl_sync(0xfu, v, first, 4);
    out[at] = votes == 0 ? -99 : chosen;
}
