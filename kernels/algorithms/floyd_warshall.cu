/*---
description: "All shortest paths of four nodes, one thread a pair, one middle node a round."
reference: "Floyd, Communications of the ACM 5 (1962), Algorithm 97"
features: [bar.sync in a loop, min, 2D block]
tags: [published, algorithm]
launches:
  - grid: [1, 1, 1]
    block: [4, 4, 1]
    args:
      - {kind: buf, dtype: int32, data: [0, 5, 1000, 10, 1000, 0, 3, 1000, 1000, 1000, 0, 1, 2, 1000, 1000, 0]}
      - {kind: i32, value: 4}
    expect:
      0: [0, 5, 8, 9, 6, 0, 3, 4, 3, 8, 0, 1, 2, 7, 10, 0]
---*/
extern "C" __global__ void floyd_warshall(int *dist, int n)
{
    int j = threadIdx.x, i = threadIdx.y;
    for (int k = 0; k < n; ++k) {
        int through = dist[i * n + k] + dist[k * n + j];
        int best = min(dist[i * n + j], through);
        __syncthreads();
        dist[i * n + j] = best;
        __syncthreads();
    }
}
