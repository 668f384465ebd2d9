/*---
description: "Each block adds up in shared memory, then once to the buffer."
reference: "CUDA C++ Programming Guide, Atomic Functions"
features: [atom.shared.add, atom.global.add, bar.sync]
tags: [published, algorithm]
launches:
  - grid: [3, 1, 1]
    block: [4, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [4, -1, 0, 6, -2, -3, -4, -5, 1, 2, 3, 9]}
      - {kind: buf, dtype: int32, data: [0]}
    expect:
      1: [10]
  - grid: [2, 1, 1]
    block: [6, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [4, -1, 0, 6, -2, -3, -4, -5, 1, 2, 3, 9]}
      - {kind: buf, dtype: int32, data: [5]}
    expect:
      1: [15]
---*/
extern "C" __global__ void add_shared_then_global(const int *in, int *total)
{
    __shared__ int part;
    int t = threadIdx.x;
    if (t == 0)
        part = 0;
    __syncthreads();
    atomicAdd(&part, in[blockIdx.x * blockDim.x + t]);
    __syncthreads();
    if (t == 0)
        atomicAdd(total, part);
}
