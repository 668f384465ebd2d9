/*---
description: "A 4 x 4 tile is transposed in shared memory."
reference: "CUDA C++ Programming Guide, Shared Memory"
features: [2D shared array, tid.y, bar.sync]
tags: [published]
launches:
  - grid: [1, 1, 1]
    block: [4, 4, 1]
    args:
      - {kind: buf, dtype: int32, data: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16]}
      - {kind: buf, dtype: int32, fill: 0, count: 16}
    expect:
      1: [1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15, 4, 8, 12, 16]
---*/
extern "C" __global__ void tile_transpose(const int *in, int *out)
{
    __shared__ int tile[4][4];
    int x = threadIdx.x, y = threadIdx.y;
    tile[y][x] = in[y * 4 + x];
    __syncthreads();
    out[y * 4 + x] = tile[x][y];
}
