/*---
description: "Counting into bins of the block, then adding these to the buffer's."
reference: "CUDA C++ Programming Guide, Atomic Functions"
features: [atom.shared.add, atom.global.add, bar.sync]
tags: [published, algorithm]
launches:
  - grid: [2, 1, 1]
    block: [4, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [3, 1, 3, 0, 7, 2, 3, 1, 1, 6, 5, 3, 7, 3, 7, 1, 15, 5, 7, 3, 3, 13, 11,
          7]}
      - {kind: buf, dtype: int32, data: [100, 0, 0, -100]}
    expect:
      1: [101, 7, 2, -86]
---*/
extern "C" __global__ void histogram_shared(const int *in, int *bins)
{
    __shared__ int mine[4];
    int t = threadIdx.x;
    mine[t] = 0;
    __syncthreads();
    for (int k = 0; k < 3; ++k)
        atomicAdd(&mine[in[(blockIdx.x * 3 + k) * 4 + t] & 3], 1);
    __syncthreads();
    atomicAdd(&bins[t], mine[t]);
}
