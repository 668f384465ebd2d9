/*---
description: "Dot product by a tree over shared memory."
reference: "CUDA C++ Programming Guide, Shared Memory"
features: [bar.sync in a loop, shared memory]
tags: [published, algorithm]
launches:
  - grid: [1, 1, 1]
    block: [4, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [1, 2, 3]}
      - {kind: buf, dtype: int32, data: [4, 5, 6]}
      - {kind: buf, dtype: int32, data: [0]}
      - {kind: i32, value: 3}
    expect:
      2: [32]
  - grid: [1, 1, 1]
    block: [4, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [1, 2, 3, -4]}
      - {kind: buf, dtype: int32, data: [4, 5, 6, 7]}
      - {kind: buf, dtype: int32, data: [0]}
      - {kind: i32, value: 4}
    expect:
      2: [4]
---*/
extern "C" __global__ void dot_shared_tree(const int *a, const int *b, int *out, int n)
{
    __shared__ int part[4];
    int t = threadIdx.x;
    part[t] = t < n ? a[t] * b[t] : 0;
    __syncthreads();
    for (int half = 2; half > 0; half >>= 1) {
        if (t < half)
            part[t] += part[t + half];
        __syncthreads();
    }
    if (t == 0)
        out[0] = part[0];
}
