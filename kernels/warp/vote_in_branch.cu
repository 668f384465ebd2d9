/*---
description: "A vote inside a branch counts the lanes that the mask names; the others vote in the other arm."
reference: "CUDA C++ Programming Guide, Warp Vote Functions"
features: [vote.sync.ballot, member masks 0x5 and 0xa]
covers: [activemask-ballot]
launches:
  - grid: [3, 1, 1]
    block: [4, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [4, -1, 0, 6, -2, -3, -4, -5, 1, 2, 3, 9]}
      - {kind: buf, dtype: uint32, fill: 0, count: 12}
    expect:
      1: [257, 8, 257, 8, 256, 0, 256, 0, 261, 10, 261, 10]
---*/
extern "C" __global__ void vote_in_branch(const int *in, unsigned *out)
{
    int t = threadIdx.x;
    int v = in[blockIdx.x * 4 + t];
    unsigned votes;
    if (t & 1)
        votes = __ballot_sync(0xau, v > 0);
    else
        votes = __ballot_sync(0x5u, v > 0) | 0x100u;
    out[blockIdx.x * 4 + t] = votes;
}
