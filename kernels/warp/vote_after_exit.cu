/*---
description: "Lanes that have returned do not vote; the mask names the lanes that are left."
reference: "CUDA C++ Programming Guide, Warp Vote Functions"
features: [early return, vote.sync.ballot, member mask]
covers: [activemask-ballot, exited-threads-barrier]
launches:
  - grid: [1, 1, 1]
    block: [4, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [1, 1, -1, 5]}
      - {kind: buf, dtype: uint32, fill: 7, count: 4}
    expect:
      1: [25, 7, 25, 25]
---*/
extern "C" __global__ void vote_after_exit(const int *in, unsigned *out)
{
    int t = threadIdx.x;
    if (t == 1)
        return;
    unsigned votes = __ballot_sync(0xdu, in[t] > 0);
    out[t] = votes + 0x10u;
}
