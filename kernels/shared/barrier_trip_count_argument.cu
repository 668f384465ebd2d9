/*---
description: "The number of barriers is the block's size: a tree over 2, 4 or 8 threads."
reference: "CUDA C++ Programming Guide, Synchronization Functions"
features: [bar.sync in a loop, shr]
tags: [published, algorithm]
launches:
  - grid: [4, 1, 1]
    block: [2, 1, 1]
    smem: 8
    args:
      - {kind: buf, dtype: int32, data: [7, -3, 12, 0, 45, -128, 9, 1]}
      - {kind: buf, dtype: int32, fill: 0, count: 4}
    expect:
      1: [4, 12, -83, 10]
  - grid: [2, 1, 1]
    block: [4, 1, 1]
    smem: 16
    args:
      - {kind: buf, dtype: int32, data: [7, -3, 12, 0, 45, -128, 9, 1]}
      - {kind: buf, dtype: int32, fill: 0, count: 4}
    expect:
      1: [16, -73, 0, 0]
  - grid: [1, 1, 1]
    block: [8, 1, 1]
    smem: 32
    args:
      - {kind: buf, dtype: int32, data: [7, -3, 12, 0, 45, -128, 9, 1]}
      - {kind: buf, dtype: int32, fill: 0, count: 4}
    expect:
      1: [-57, 0, 0, 0]
---*/
extern "C" __global__ void barrier_trip_count_argument(const int *in, int *out)
{
    extern __shared__ int part[];
    int t = threadIdx.x;
    part[t] = in[blockIdx.x * blockDim.x + t];
    __syncthreads();
    for (int half = blockDim.x >> 1; half > 0; half >>= 1) {
        if (t < half)
            part[t] += part[t + half];
        __syncthreads();
    }
    if (t == 0)
        out[blockIdx.x] = part[0];
}
