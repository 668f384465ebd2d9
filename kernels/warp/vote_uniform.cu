/*---
description: "Whether the condition is the same in all four lanes, true or false."
reference: "CUDA C++ Programming Guide, Warp Vote Functions"
features: [vote.sync.uni]
launches:
  - grid: [3, 1, 1]
    block: [4, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [4, -1, 0, 6, -2, -3, -4, -5, 1, 2, 3, 9]}
      - {kind: buf, dtype: int32, fill: 0, count: 12}
    expect:
      1: [1, 1, 1, 1, 3, 3, 3, 3, 3, 3, 3, 3]
---*/
extern "C" __global__ void vote_uniform(const int *in, int *out)
{
    int t = blockIdx.x * 4 + threadIdx.x;
    out[t] = (__uni_sync(0xfu, in[t] > 0) != 0) * 2 + (__uni_sync(0xfu, in[t] != 100) != 0);
}
