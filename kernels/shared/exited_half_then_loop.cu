/*---
description: "Half of the threads return; the others go on through several barriers."
reference: "https://github.com/CHIP-SPV/chipStar/issues/379"
features: [early return, bar.sync in a loop]
tags: [published, bug]
covers: [exited-threads-barrier]
launches:
  - grid: [1, 1, 1]
    block: [8, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [7, -3, 12, 0, 45, -128, 9, 1]}
      - {kind: buf, dtype: int32, fill: -3, count: 5}
    expect:
      1: [73, 73, 73, 73, -3]
---*/
extern "C" __global__ void exited_half_then_loop(const int *in, int *out)
{
    __shared__ int slot[4];
    int t = threadIdx.x;
    if (t & 1)
        return;
    int mine = t >> 1;
    slot[mine] = in[t];
    __syncthreads();
    for (int k = 1; k < 4; k <<= 1) {
        int v = slot[mine ^ k];
        __syncthreads();
        slot[mine] += v;
        __syncthreads();
    }
    out[mine] = slot[mine];
}
