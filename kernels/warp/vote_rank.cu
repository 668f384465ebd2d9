/*---
description: "The number of earlier lanes that hold the condition, from the ballot and a mask of lower lanes."
reference: "CUDA C++ Programming Guide, Warp Vote Functions"
features: [vote.sync.ballot, popc, shl]
tags: [algorithm]
launches:
  - grid: [3, 1, 1]
    block: [4, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [4, -1, 0, 6, -2, -3, -4, -5, 1, 2, 3, 9]}
      - {kind: buf, dtype: int32, fill: 0, count: 12}
    expect:
      1: [2, 12, 12, 12, 0, 0, 0, 0, 4, 14, 24, 34]
---*/
extern "C" __global__ void vote_rank(const int *in, int *out)
{
    int t = threadIdx.x;
    int at = blockIdx.x * 4 + t;
    unsigned votes = __ballot_sync(0xfu, in[at] > 0);
    out[at] = __popc(votes & ((1u << t) - 1u)) * 10 + __popc(votes);
}
