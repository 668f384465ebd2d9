/*---
description: "The ballot of four lanes has bit i set if lane i holds the condition."
reference: "CUDA C++ Programming Guide, Warp Vote Functions"
features: [vote.sync.ballot]
covers: [activemask-ballot]
launches:
  - grid: [3, 1, 1]
    block: [4, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [4, -1, 0, 6, -2, -3, -4, -5, 1, 2, 3, 9]}
      - {kind: buf, dtype: uint32, fill: 0, count: 12}
    expect:
      1: [157, 157, 157, 157, 5, 5, 5, 5, 242, 242, 242, 242]
---*/
extern "C" __global__ void vote_ballot(const int *in, unsigned *out)
{
    int t = blockIdx.x * 4 + threadIdx.x;
    unsigned positive = __ballot_sync(0xfu, in[t] > 0);
    unsigned even = __ballot_sync(0xfu, (in[t] & 1) == 0);
    out[t] = positive * 16 + even;
}
