/*---
description: "Lanes leave a loop at different times, all before one barrier."
reference: "CUDA C++ Programming Guide, Synchronization Functions"
features: [divergent loop, bar.sync]
tags: [published]
launches:
  - grid: [1, 1, 1]
    block: [8, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [1, 1000, 2, 0, 17, 64, 3, 500]}
      - {kind: buf, dtype: int32, fill: 0, count: 8}
    expect:
      1: [9, 0, 8, 9, 5, 3, 8, 1]
---*/
extern "C" __global__ void uneven_loop_then_barrier(const int *in, int *out)
{
    __shared__ int steps[8];
    int t = threadIdx.x;
    int v = in[t];
    int n = 0;
    while (v > 1) {
        v >>= 1;
        ++n;
    }
    steps[t] = n;
    __syncthreads();
    int most = 0;
    for (int k = 0; k < 8; ++k)
        most = steps[k] > most ? steps[k] : most;
    out[t] = most - steps[t];
}
