/*---
description: "A block reverses its part through static shared memory."
reference: "CUDA C++ Programming Guide, Shared Memory"
features: [static shared memory, bar.sync]
tags: [published]
launches:
  - grid: [2, 1, 1]
    block: [8, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [7, -3, 12, 0, 45, -128, 9, 1, 70, -30, 120, 0, 450, -1280, 90, 10]}
      - {kind: buf, dtype: int32, fill: 0, count: 16}
    expect:
      1: [1, 9, -128, 45, 0, 12, -3, 7, 10, 90, -1280, 450, 0, 120, -30, 70]
---*/
extern "C" __global__ void reverse_static(const int *in, int *out)
{
    __shared__ int slot[8];
    int t = threadIdx.x;
    int base = blockIdx.x * 8;
    slot[t] = in[base + t];
    __syncthreads();
    out[base + t] = slot[7 - t];
}
