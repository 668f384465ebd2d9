/*---
description: "Lane 2 of each group of four tells its value to the other three."
reference: "CUDA C++ Programming Guide, Warp Shuffle Functions"
features: [shfl.sync.idx]
tags: [published]
launches:
  - grid: [2, 1, 1]
    block: [8, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [7, -3, 12, 0, 45, -128, 9, 1, 8, -2, 13, 1, 46, -127, 10, 2]}
      - {kind: buf, dtype: int32, fill: 0, count: 16}
    expect:
      1: [712, -288, 1212, 12, 4509, -12791, 909, 109, 813, -187, 1313, 113, 4610, -12690, 1010, 210]
---*/
extern "C" __global__ void shfl_broadcast(const int *in, int *out)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    int lead = __shfl_sync(0xffffffffu, in[t], 2, 4);
    out[t] = in[t] * 100 + lead;
}
