/*---
description: "A 4 x 4 product from 2 x 2 tiles in shared memory."
reference: "CUDA C++ Programming Guide, Shared Memory"
features: [2D shared tiles, bar.sync in a loop, 2D grid]
tags: [published, algorithm]
launches:
  - grid: [2, 2, 1]
    block: [2, 2, 1]
    args:
      - {kind: buf, dtype: int32, data: [-5, 2, -2, 5, 1, -3, 4, 0, -4, 3, -1, -5, 2, -2, 5, 1]}
      - {kind: buf, dtype: int32, data: [-6, -1, 4, -4, 1, 6, -2, 3, -5, 0, 5, -3, 2, -6, -1, 4]}
      - {kind: buf, dtype: int32, fill: 0, count: 16}
    expect:
      2: [52, -13, -39, 52, -29, -19, 30, -25, 22, 52, -22, 8, -37, -20, 36, -25]
---*/
extern "C" __global__ void matmul_tiled(const int *a, const int *b, int *c)
{
    __shared__ int ta[2][2], tb[2][2];
    int x = threadIdx.x, y = threadIdx.y;
    int col = blockIdx.x * 2 + x, row = blockIdx.y * 2 + y;
    int sum = 0;
    for (int tile = 0; tile < 4; tile += 2) {
        ta[y][x] = a[row * 4 + tile + x];
        tb[y][x] = b[(tile + y) * 4 + col];
        __syncthreads();
        sum += ta[y][0] * tb[0][x] + ta[y][1] * tb[1][x];
        __syncthreads();
    }
    c[row * 4 + col] = sum;
}
