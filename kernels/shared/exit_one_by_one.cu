/*---
description: "One thread exits a round, between two barriers that the others still meet at."
reference: "CUDA C++ Programming Guide, Synchronization Functions"
features: [return inside a loop, bar.sync]
tags: [published]
covers: [exited-threads-barrier]
launches:
  - grid: [1, 1, 1]
    block: [8, 1, 1]
    args:
      - {kind: buf, dtype: int32, fill: 0, count: 8}
      - {kind: i32, value: 5}
    expect:
      0: [0, 10, 20, 30, 40, 51, 51, 51]
---*/
extern "C" __global__ void exit_one_by_one(int *out, int rounds)
{
    __shared__ int left;
    int t = threadIdx.x;
    if (t == 7)
        left = 0;
    __syncthreads();
    for (int k = 0; k < rounds; ++k) {
        int seen = left;
        __syncthreads();
        if (t == k) {
            out[t] = seen;
            return;
        }
        if (t == 7)
            left += 10;
        __syncthreads();
    }
    out[t] = left + 1;
}
