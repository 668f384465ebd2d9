/*---
description: "A barrier inside a branch that the whole block takes or leaves."
reference: "CUDA C++ Programming Guide, Synchronization Functions"
features: [bar.sync under a uniform branch]
tags: [published]
covers: [barrier-duplicated]
launches:
  - grid: [2, 1, 1]
    block: [8, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [7, -3, 12, 0, 45, -128, 9, 1]}
      - {kind: buf, dtype: int32, fill: 0, count: 16}
      - {kind: i32, value: 0}
    expect:
      1: [-7, 3, -12, 0, -45, 128, -9, -1, 1, 46, -127, 10, 2, 8, -2, 13]
  - grid: [2, 1, 1]
    block: [8, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [7, -3, 12, 0, 45, -128, 9, 1]}
      - {kind: buf, dtype: int32, fill: 0, count: 16}
      - {kind: i32, value: 1}
    expect:
      1: [0, 45, -128, 9, 1, 7, -3, 12, -8, 2, -13, -1, -46, 127, -10, -2]
---*/
extern "C" __global__ void barrier_in_uniform_branch(const int *in, int *out, int mode)
{
    __shared__ int slot[8];
    int t = threadIdx.x;
    int b = blockIdx.x;
    slot[t] = in[t] + b;
    if ((b + mode) & 1) {
        __syncthreads();
        out[b * 8 + t] = slot[(t + 3) & 7];
    } else {
        out[b * 8 + t] = slot[t] * -1;
    }
}
