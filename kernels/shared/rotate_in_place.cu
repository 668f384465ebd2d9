/*---
description: "Rotation in place, n times: a barrier stands between reading and writing as well."
reference: "CUDA C++ Programming Guide, Synchronization Functions"
features: [bar.sync in a loop, write after read]
tags: [published]
covers: [loop-entry-divergent]
launches:
  - grid: [1, 1, 1]
    block: [8, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [7, -3, 12, 0, 45, -128, 9, 1]}
      - {kind: buf, dtype: int32, fill: 0, count: 8}
      - {kind: i32, value: 3}
    expect:
      1: [0, 45, -128, 9, 1, 7, -3, 12]
  - grid: [1, 1, 1]
    block: [8, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [7, -3, 12, 0, 45, -128, 9, 1]}
      - {kind: buf, dtype: int32, fill: 0, count: 8}
      - {kind: i32, value: 0}
    expect:
      1: [7, -3, 12, 0, 45, -128, 9, 1]
---*/
extern "C" __global__ void rotate_in_place(const int *in, int *out, int n)
{
    __shared__ int ring[8];
    int t = threadIdx.x;
    ring[t] = in[t];
    __syncthreads();
    for (int k = 0; k < n; ++k) {
        int next = ring[(t + 1) & 7];
        __syncthreads();
        ring[t] = next;
        __syncthreads();
    }
    out[t] = ring[t];
}
