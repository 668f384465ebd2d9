/*---
description: "Groups of four exchange through shared memory with warp barriers alone."
reference: "CUDA C++ Programming Guide, __syncwarp"
features: [bar.warp.sync, shared memory]
launches:
  - grid: [2, 1, 1]
    block: [4, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [7, -3, 12, 0, 45, -128, 9, 1]}
      - {kind: buf, dtype: int32, fill: 0, count: 8}
    expect:
      1: [24, 0, 14, -6, 18, 2, 90, -256]
---*/
extern "C" __global__ void syncwarp_exchange(const int *in, int *out)
{
    __shared__ int slot[4];
    int t = threadIdx.x;
    int at = blockIdx.x * 4 + t;
    slot[t] = in[at];
    __syncwarp(0xfu);
    int v = slot[3 - t];
    __syncwarp(0xfu);
    slot[t] = v * 2;
    __syncwarp(0xfu);
    out[at] = slot[t ^ 1];
}
