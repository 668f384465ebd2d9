/*---
description: "Launches of different shapes cover one buffer by the linear number of each thread."
reference: "CUDA C++ Programming Guide, Thread Hierarchy"
features: [tid.z, ctaid.z, linear index, several shapes]
tags: [published]
covers: [block-linearisation]
launches:
  - grid: [2, 2, 1]
    block: [2, 1, 2]
    args:
      - {kind: buf, dtype: int32, data: [3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3]}
      - {kind: buf, dtype: int32, fill: 0, count: 16}
    expect:
      1: [3, 10, 9, 12, 12, 10, 9, 12, 14, 11, 19, 16, 13, 17, 15, 18]
  - grid: [1, 1, 4]
    block: [1, 4, 1]
    args:
      - {kind: buf, dtype: int32, data: [3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3]}
      - {kind: buf, dtype: int32, fill: 0, count: 16}
    expect:
      1: [3, 10, 9, 12, 12, 10, 9, 12, 14, 11, 19, 16, 13, 17, 15, 18]
  - grid: [16, 1, 1]
    block: [1, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3]}
      - {kind: buf, dtype: int32, fill: 0, count: 16}
    expect:
      1: [3, 10, 9, 12, 12, 10, 9, 12, 14, 11, 19, 16, 13, 17, 15, 18]
  - grid: [1, 1, 1]
    block: [4, 2, 2]
    args:
      - {kind: buf, dtype: int32, data: [3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3]}
      - {kind: buf, dtype: int32, fill: 0, count: 16}
    expect:
      1: [3, 10, 9, 12, 12, 10, 9, 12, 14, 11, 19, 16, 13, 17, 15, 18]
---*/
extern "C" __global__ void linear_index_any_shape(const int *in, int *out)
{
    unsigned threads = blockDim.x * blockDim.y * blockDim.z;
    unsigned block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    unsigned thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    unsigned i = block * threads + thread;
    out[i] = in[15 - i] + (int)i;
}
