/*---
description: "Each block writes what it reads: nothing of the block before is seen."
reference: "https://github.com/srush/GPU-Puzzles/issues/20"
features: [several blocks, static shared memory]
tags: [published, bug]
covers: [shared-uninitialised]
launches:
  - grid: [3, 1, 1]
    block: [4, 1, 1]
    args:
      - {kind: buf, dtype: int32, range: [5, 12, 5]}
      - {kind: buf, dtype: int32, fill: 0, count: 12}
    expect:
      1: [1, 1, 1, 6, 1, 1, 31, 26, 1, 56, 51, 46]
---*/
extern "C" __global__ void not_carried_over(const int *in, int *out)
{
    __shared__ int slot[4];
    int t = threadIdx.x;
    int b = blockIdx.x;
    slot[t] = 0;
    __syncthreads();
    if (t <= b)
        slot[t] = in[b * 4 + t];
    __syncthreads();
    out[b * 4 + t] = slot[3 - t] + 1;
}
