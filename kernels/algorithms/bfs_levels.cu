/*---
description: "Breadth-first levels from node 0; two nodes may reach one at the same time, so levels are set by
  atomic minimum."
reference: "Moore, The shortest path through a maze, 1959"
features: [bar.sync in a loop, atom.min, compressed rows]
tags: [algorithm]
launches:
  - grid: [1, 1, 1]
    block: [8, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [0, 2, 4, 5, 6, 7, 7, 8, 8]}
      - {kind: buf, dtype: int32, data: [1, 2, 3, 4, 4, 5, 6, 1]}
      - {kind: buf, dtype: int32, fill: 0, count: 8}
      - {kind: i32, value: 6}
    expect:
      2: [0, 1, 1, 2, 2, 3, 3, -1]
---*/
extern "C" __global__ void bfs_levels(const int *first, const int *neighbour, int *level, int rounds)
{
    __shared__ int reached[8];
    int t = threadIdx.x;
    reached[t] = t == 0 ? 0 : 100;
    __syncthreads();
    for (int r = 0; r < rounds; ++r) {
        bool front = reached[t] == r;
        __syncthreads();
        if (front) {
            for (int e = first[t]; e < first[t + 1]; ++e)
                atomicMin(&reached[neighbour[e]], r + 1);
        }
        __syncthreads();
    }
    level[t] = reached[t] == 100 ? -1 : reached[t];
}
