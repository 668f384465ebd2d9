/*---
description: "One block sums one row of a matrix in shared memory."
reference: "CUDA C++ Programming Guide, Shared Memory"
features: [ctaid as row, shared tree, bar.sync]
tags: [published, algorithm]
launches:
  - grid: [3, 1, 1]
    block: [4, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [1, 2, 3, 4, -5, 6, -7, 8, 100, 0, 0, 1]}
      - {kind: buf, dtype: int32, data: [0, 0, 0]}
      - {kind: i32, value: 4}
    expect:
      1: [10, 2, 101]
---*/
extern "C" __global__ void one_block_a_row(const int *in, int *out, int cols)
{
    __shared__ int part[4];
    int t = threadIdx.x;
    part[t] = in[blockIdx.x * cols + t];
    __syncthreads();
    for (int half = 2; half > 0; half >>= 1) {
        if (t < half)
            part[t] += part[t + half];
        __syncthreads();
    }
    if (t == 0)
        out[blockIdx.x] = part[0];
}
