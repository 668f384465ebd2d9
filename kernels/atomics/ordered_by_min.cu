/*---
description: "The first position that holds a value, by an atomic minimum of indices."
reference: "CUDA C++ Programming Guide, Atomic Functions"
features: [atom.shared.min.s32]
tags: [algorithm]
launches:
  - grid: [1, 1, 1]
    block: [12, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [3, 1, 3, 0, 7, 2, 3, 1, 1, 6, 5, 3]}
      - {kind: buf, dtype: int32, data: [0]}
      - {kind: i32, value: 3}
    expect:
      1: [0]
  - grid: [1, 1, 1]
    block: [12, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [3, 1, 3, 0, 7, 2, 3, 1, 1, 6, 5, 3]}
      - {kind: buf, dtype: int32, data: [0]}
      - {kind: i32, value: 5}
    expect:
      1: [10]
  - grid: [1, 1, 1]
    block: [12, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [3, 1, 3, 0, 7, 2, 3, 1, 1, 6, 5, 3]}
      - {kind: buf, dtype: int32, data: [0]}
      - {kind: i32, value: 4}
    expect:
      1: [1000]
---*/
extern "C" __global__ void ordered_by_min(const int *in, int *out, int wanted)
{
    __shared__ int first;
    int t = threadIdx.x;
    if (t == 0)
        first = 1000;
    __syncthreads();
    if (in[t] == wanted)
        atomicMin(&first, t);
    __syncthreads();
    if (t == 0)
        out[0] = first;
}
