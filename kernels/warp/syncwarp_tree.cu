/*---
description: "A tree sum in shared memory, steps kept apart by warp barriers, after a branch that diverged."
reference: "CUDA C++ Programming Guide, __syncwarp"
features: [bar.warp.sync, reconvergence]
launches:
  - grid: [1, 1, 1]
    block: [4, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [7, 8, -4, 3]}
      - {kind: buf, dtype: int32, data: [0]}
    expect:
      1: [34]
---*/
extern "C" __global__ void syncwarp_tree(const int *in, int *out)
{
    __shared__ int slot[4];
    int t = threadIdx.x;
    int v = in[t];
    if (v & 1)
        v = v * 3 + 1;
    else
        v = v >> 1;
    slot[t] = v;
    __syncwarp(0xfu);
    if (t < 2)
        slot[t] += slot[t + 2];
    __syncwarp(0xfu);
    if (t == 0)
        out[0] = slot[0] + slot[1];
}
