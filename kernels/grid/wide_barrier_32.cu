/*---
description: "A tree sum over 32 threads with barriers."
reference: "CUDA C++ Programming Guide, Synchronization Functions"
features: [bar.sync over 32 threads, shared tree]
tags: [wide, algorithm]
launches:
  - grid: [4, 1, 1]
    block: [32, 1, 1]
    args:
      - {kind: buf, dtype: int32, lcg: {seed: 11, count: 128, low: -5000, high: 5000}}
      - {kind: buf, dtype: int32, fill: 0, count: 4}
    expect:
      1: [5623, -21676, 30687, -35289]
---*/
extern "C" __global__ void wide_barrier_32(const int *in, int *out)
{
    __shared__ int part[32];
    int t = threadIdx.x;
    part[t] = in[blockIdx.x * 32 + t];
    __syncthreads();
    for (int half = 16; half > 0; half >>= 1) {
        if (t < half)
            part[t] += part[t + half];
        __syncthreads();
    }
    if (t == 0)
        out[blockIdx.x] = part[0];
}
