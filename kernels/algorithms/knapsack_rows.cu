/*---
description: "0/1 knapsack: one item a round, all capacities side by side."
reference: "Bellman, Dynamic Programming, 1957"
features: [bar.sync in a loop, max.s32]
tags: [published, algorithm]
launches:
  - grid: [1, 1, 1]
    block: [12, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [3, 4, 2]}
      - {kind: buf, dtype: int32, data: [30, 50, 15]}
      - {kind: buf, dtype: int32, fill: 0, count: 12}
      - {kind: i32, value: 3}
    expect:
      2: [0, 0, 15, 30, 50, 50, 65, 80, 80, 95, 95, 95]
---*/
extern "C" __global__ void knapsack_rows(const int *weight, const int *value, int *best, int items)
{
    __shared__ int f[12];
    int c = threadIdx.x;
    f[c] = 0;
    __syncthreads();
    #pragma unroll 1
    for (int k = 0; k < items; ++k) {
        int w = weight[k];
        int with = c >= w ? f[c - w] + value[k] : 0;
        __syncthreads();
        f[c] = max(f[c], with);
        __syncthreads();
    }
    best[c] = f[c];
}
