/*---
description: "Which of four lanes hold the same value, and whether all do."
reference: "CUDA C++ Programming Guide, Warp Match Functions"
features: [match.any.sync, match.all.sync]
launches:
  - grid: [3, 1, 1]
    block: [4, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [5, 5, 5, 5, 1, 2, 1, 3, -1, 0, -1, -1]}
      - {kind: buf, dtype: uint32, fill: 0, count: 12}
    expect:
      1: [4081, 4081, 4081, 4081, 1280, 512, 1280, 2048, 3328, 512, 3328, 3328]
---*/
extern "C" __global__ void match_equal_lanes(const int *in, unsigned *out)
{
    int t = threadIdx.x;
    int at = blockIdx.x * 4 + t;
    int same;
    unsigned peers = __match_any_sync(0xfu, in[at]);
    unsigned everyone = __match_all_sync(0xfu, in[at], &same);
    out[at] = peers * 256 + everyone * 16 + (same != 0);
}
