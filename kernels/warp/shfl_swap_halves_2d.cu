/*---
description: "Lanes are numbered along x, then y: exchange by 2 swaps the rows of a 2 x 2 block."
reference: "CUDA C++ Programming Guide, Thread Hierarchy"
features: [shfl.sync.bfly, 2D block]
tags: [published]
covers: [block-linearisation]
launches:
  - grid: [2, 1, 1]
    block: [2, 2, 1]
    args:
      - {kind: buf, dtype: int32, data: [7, -3, 12, 0, 45, -128, 9, 1]}
      - {kind: buf, dtype: int32, fill: 0, count: 8}
    expect:
      1: [120, 0, 71, -29, 90, 10, 451, -1279]
---*/
extern "C" __global__ void shfl_swap_halves_2d(const int *in, int *out)
{
    int line = threadIdx.y * 2 + threadIdx.x;
    int v = in[blockIdx.x * 4 + line];
    out[blockIdx.x * 4 + line] = __shfl_xor_sync(0xfu, v, 2, 4) * 10 + threadIdx.y;
}
