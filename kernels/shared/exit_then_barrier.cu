/*---
description: "Surplus threads return; a barrier waits for the threads that have not exited (sm_70 and later)."
reference: "https://github.com/CHIP-SPV/chipStar/issues/379"
features: [early return, bar.sync, several blocks]
tags: [published, bug]
covers: [exited-threads-barrier]
launches:
  - grid: [2, 1, 1]
    block: [8, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 0, 0, 0]}
      - {kind: buf, dtype: int32, fill: -1, count: 16}
      - {kind: i32, value: 13}
    expect:
      1: [180, 171, 162, 153, 144, 135, 126, 117, 230, 221, 212, 203, 194, -1, -1, -1]
---*/
extern "C" __global__ void exit_then_barrier(const int *in, int *out, int n)
{
    __shared__ int slot[8];
    int t = (int)threadIdx.x;
    int first = (int)blockIdx.x * 8;
    int g = first + t;
    if (g >= n)
        return;
    int live = n - first;
    if (live > 8)
        live = 8;
    slot[t] = in[g] * 10;
    __syncthreads();
    out[g] = slot[live - 1 - t] + t;
}
