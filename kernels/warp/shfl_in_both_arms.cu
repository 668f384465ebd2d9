/*---
description: "Two arms of a branch shuffle each within its own half of four lanes."
reference: "CUDA C++ Programming Guide, Warp Shuffle Functions"
features: [shfl.sync.bfly, member masks 0x3 and 0xc]
tags: [published]
covers: [activemask-ballot]
launches:
  - grid: [1, 1, 1]
    block: [4, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [4, 7, 1, 9]}
      - {kind: buf, dtype: int32, fill: 0, count: 4}
    expect:
      1: [47, 74, -8, 8]
---*/
extern "C" __global__ void shfl_in_both_arms(const int *in, int *out)
{
    int t = threadIdx.x;
    int v = in[t];
    if (t < 2)
        v = v * 10 + __shfl_xor_sync(0x3u, v, 1, 4);
    else
        v = v - __shfl_xor_sync(0xcu, v, 1, 4);
    out[t] = v;
}
