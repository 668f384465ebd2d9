/*---
description: "One thread writes a shared word, all threads read it after the barrier."
reference: "CUDA C++ Programming Guide, Synchronization Functions"
features: [shared scalar, bar.sync]
tags: [published]
launches:
  - grid: [1, 1, 1]
    block: [8, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [7, -3, 12, 0, 45, -128, 9, 1]}
      - {kind: buf, dtype: int32, fill: 0, count: 8}
      - {kind: i32, value: 0}
    expect:
      1: [0, -10, 5, -7, 38, -135, 2, -6]
  - grid: [1, 1, 1]
    block: [8, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [7, -3, 12, 0, 45, -128, 9, 1]}
      - {kind: buf, dtype: int32, fill: 0, count: 8}
      - {kind: i32, value: 5}
    expect:
      1: [135, 125, 140, 128, 173, 0, 137, 129]
---*/
extern "C" __global__ void broadcast_one(const int *in, int *out, int who)
{
    __shared__ int chosen;
    int t = threadIdx.x;
    if (t == who)
        chosen = in[t];
    __syncthreads();
    out[t] = in[t] - chosen;
}
