/*---
description: "Every node finds the root of its tree by doubling jumps."
reference: "Wyllie, The Complexity of Parallel Computations, 1979"
features: [dependent loads, bar.sync in a loop]
tags: [published, algorithm]
launches:
  - grid: [1, 1, 1]
    block: [12, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [0, 0, 1, 2, 3, 5, 5, 6, 7, 4, 10, 10]}
      - {kind: buf, dtype: int32, fill: 0, count: 12}
    expect:
      1: [0, 0, 0, 0, 0, 5, 5, 5, 5, 0, 10, 10]
---*/
extern "C" __global__ void pointer_jumping(const int *parent, int *root)
{
    __shared__ int p[12];
    int t = threadIdx.x;
    p[t] = parent[t];
    __syncthreads();
    for (int k = 1; k < 12; k <<= 1) {
        int up = p[p[t]];
        __syncthreads();
        p[t] = up;
        __syncthreads();
    }
    root[t] = p[t];
}
