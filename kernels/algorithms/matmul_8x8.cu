/*---
description: "8 x 8 product from 4 x 4 tiles, four blocks of sixteen threads."
reference: "CUDA C++ Programming Guide, Shared Memory"
features: [2D shared tiles, bar.sync in a loop, 2D grid]
tags: [algorithm, wide]
launches:
  - grid: [2, 2, 1]
    block: [4, 4, 1]
    args:
      - {kind: buf, dtype: int32, data: [-9, -4, 1, 6, -8, -3, 2, 7, -4, 1, 6, -8, -3, 2, 7, -7, 1, 6, -8, -3,
          2, 7, -7, -2, 6, -8, -3, 2, 7, -7, -2, 3, -8, -3, 2, 7, -7, -2, 3, 8, -3, 2, 7, -7, -2, 3, 8, -6, 2,
          7, -7, -2, 3, 8, -6, -1, 7, -7, -2, 3, 8, -6, -1, 4]}
      - {kind: buf, dtype: int32, data: [-9, -2, 5, -7, 0, 7, -5, 2, -7, 0, 7, -5, 2, 9, -3, 4, -5, 2, 9, -3, 4,
          -8, -1, 6, -3, 4, -8, -1, 6, -6, 1, 8, -1, 6, -6, 1, 8, -4, 3, -9, 1, 8, -4, 3, -9, -2, 5, -7, 3, -9,
          -2, 5, -7, 0, 7, -5, 5, -7, 0, 7, -5, 2, 9, -3]}
      - {kind: buf, dtype: int32, fill: 0, count: 64}
    expect:
      2: [132, -95, -56, 116, -54, -91, 100, 82, 14, -28, 101, 2, -78, -25, -10, -33, -28, 115, -27, -36, -26,
          117, -44, -72, 6, -27, -79, 2, 102, -26, -2, -35, 116, -93, -55, 116, -55, -93, 116, 78, -2, -26, 102,
          2, -79, -27, 6, -37, -44, 117, -26, -36, -27, 115, -28, -76, -10, -25, -78, 2, 101, -28, 14, -39]
---*/
extern "C" __global__ void matmul_8x8(const int *a, const int *b, int *c)
{
    __shared__ int ta[4][4], tb[4][4];
    int x = threadIdx.x, y = threadIdx.y;
    int col = blockIdx.x * 4 + x, row = blockIdx.y * 4 + y;
    int sum = 0;
    for (int tile = 0; tile < 8; tile += 4) {
        ta[y][x] = a[row * 8 + tile + x];
        tb[y][x] = b[(tile + y) * 8 + col];
        __syncthreads();
        for (int k = 0; k < 4; ++k)
            sum += ta[y][k] * tb[k][x];
        __syncthreads();
    }
    c[row * 8 + col] = sum;
}
