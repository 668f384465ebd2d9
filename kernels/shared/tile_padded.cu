/*---
description: "A tile with a padding column: rows lie five words apart, results are the same."
reference: "CUDA C++ Programming Guide, Shared Memory"
features: [2D shared array, mad.lo by 20 bytes]
tags: [published]
launches:
  - grid: [1, 1, 1]
    block: [4, 4, 1]
    args:
      - {kind: buf, dtype: int32, data: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16]}
      - {kind: buf, dtype: int32, fill: 0, count: 16}
    expect:
      1: [4, 104, 204, 304, 9, 13, 17, 21, 14, 18, 22, 26, 19, 23, 27, 31]
---*/
extern "C" __global__ void tile_padded(const int *in, int *out)
{
    __shared__ int tile[4][5];
    int x = threadIdx.x, y = threadIdx.y;
    tile[y][x + 1] = in[y * 4 + x];
    if (x == 0)
        tile[y][0] = y * 100;
    __syncthreads();
    out[y * 4 + x] = tile[x][y] + tile[y][4];
}
