/*---
description: "Blocks without work return at once, before the barrier that others meet at."
reference: "CUDA C++ Programming Guide, Synchronization Functions"
features: [early return by block, bar.sync]
tags: [published]
covers: [exited-threads-barrier]
launches:
  - grid: [4, 1, 1]
    block: [4, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [5, -1, 0, -7]}
      - {kind: buf, dtype: int32, fill: -2, count: 16}
    expect:
      1: [8, 7, 6, 5, -2, -2, -2, -2, 3, 2, 1, 0, -2, -2, -2, -2]
---*/
extern "C" __global__ void whole_blocks_exit(const int *in, int *out)
{
    __shared__ int slot[4];
    int b = blockIdx.x;
    int t = threadIdx.x;
    if (in[b] < 0)
        return;
    slot[t] = in[b] + t;
    __syncthreads();
    out[b * 4 + t] = slot[3 - t];
}
