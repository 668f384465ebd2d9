/*---
description: "One atomicAdd for a group of four: a vote finds the keepers, the leader reserves room, a shuffle
  spreads the start."
reference: "https://github.com/llvm/llvm-project/issues/98908"
features: [vote.sync.ballot, popc, atom.add, shfl.sync.idx, leader branch]
tags: [bug]
covers: [atomic-old-value, activemask-ballot]
launches:
  - grid: [3, 1, 1]
    block: [4, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [4, -1, 0, 6, -2, -3, -4, -5, 1, 2, 3, 9]}
      - {kind: buf, dtype: int32, fill: 0, count: 12}
      - {kind: buf, dtype: int32, data: [0]}
      - {kind: buf, dtype: int32, fill: 0, count: 12}
    expect:
      1: [4, 6, 0, 0, 0, 0, 0, 0, 1, 2, 3, 9]
      2: [6]
      3: [1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0]
---*/
extern "C" __global__ void ballot_compact(const int *in, int *out, int *total, int *seen)
{
    unsigned t = threadIdx.x;
    int v = in[blockIdx.x * 4u + t];
    bool keep = v > 0;
    unsigned votes = __ballot_sync(0xfu, keep);
    int rank = __popc(votes & ((1u << t) - 1u));
    int start = 0;
    if (t == 0)
        start = atomicAdd(total, __popc(votes));
    start = __shfl_sync(0xfu, start, 0, 4);
    if (keep) {
        out[blockIdx.x * 4u + (unsigned)rank] = v;
        seen[start + rank] = 1;
    }
}
