/*---
description: "Each node's distance to the end of a linked list, by doubling."
reference: "Wyllie, The Complexity of Parallel Computations, 1979"
features: [dependent loads, two arrays, bar.sync]
tags: [published, algorithm]
launches:
  - grid: [1, 1, 1]
    block: [8, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [3, 6, 0, 7, 1, 5, 5, 4]}
      - {kind: buf, dtype: int32, fill: 0, count: 8}
    expect:
      1: [6, 2, 7, 5, 3, 0, 1, 4]
---*/
extern "C" __global__ void list_ranking(const int *next, int *rank)
{
    __shared__ int hop[8], far[8];
    int t = threadIdx.x;
    hop[t] = next[t];
    far[t] = next[t] != t;
    __syncthreads();
    for (int k = 1; k < 8; k <<= 1) {
        int d = far[t] + far[hop[t]];
        int h = hop[hop[t]];
        __syncthreads();
        far[t] = d;
        hop[t] = h;
        __syncthreads();
    }
    rank[t] = far[t];
}
