/*---
description: "Dot product by one atomic addition a thread."
reference: "CUDA C++ Programming Guide, Atomic Functions"
features: [atom.global.add, mul.lo]
tags: [published, algorithm]
launches:
  - grid: [1, 1, 1]
    block: [3, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [1, 2, 3]}
      - {kind: buf, dtype: int32, data: [4, 5, 6]}
      - {kind: buf, dtype: int32, data: [0]}
    expect:
      2: [32]
  - grid: [1, 1, 1]
    block: [4, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [1, 2, 3, -4]}
      - {kind: buf, dtype: int32, data: [4, 5, 6, 7]}
      - {kind: buf, dtype: int32, data: [10]}
    expect:
      2: [14]
---*/
extern "C" __global__ void dot_atomic(const int *a, const int *b, int *out)
{
    int t = threadIdx.x;
    atomicAdd(out, a[t] * b[t]);
}
