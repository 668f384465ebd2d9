/*---
description: "Steps of the game of life on a 4 x 4 torus."
reference: "Gardner, Scientific American 223 (October 1970)"
features: [bar.sync in a loop, nested loops, and.b32]
tags: [published, algorithm]
launches:
  - grid: [1, 1, 1]
    block: [4, 4, 1]
    args:
      - {kind: buf, dtype: int32, data: [0, 1, 0, 0, 0, 0, 1, 0, 1, 1, 1, 0, 0, 0, 0, 0]}
      - {kind: buf, dtype: int32, fill: 0, count: 16}
      - {kind: i32, value: 1}
    expect:
      1: [0, 0, 0, 0, 1, 0, 1, 1, 0, 1, 1, 1, 1, 0, 1, 0]
  - grid: [1, 1, 1]
    block: [4, 4, 1]
    args:
      - {kind: buf, dtype: int32, data: [0, 1, 0, 0, 0, 0, 1, 0, 1, 1, 1, 0, 0, 0, 0, 0]}
      - {kind: buf, dtype: int32, fill: 0, count: 16}
      - {kind: i32, value: 4}
    expect:
      1: [1, 0, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0]
---*/
extern "C" __global__ void game_of_life(const int *in, int *out, int steps)
{
    __shared__ int cell[16];
    int x = threadIdx.x, y = threadIdx.y;
    int me = y * 4 + x;
    cell[me] = in[me];
    __syncthreads();
    #pragma unroll 1
    for (int s = 0; s < steps; ++s) {
        int near = -cell[me];
        #pragma unroll 1
        for (int dy = -1; dy <= 1; ++dy)
            #pragma unroll 1
            for (int dx = -1; dx <= 1; ++dx)
                near += cell[((y + dy) & 3) * 4 + ((x + dx) & 3)];
        int next = near == 3 || (near == 2 && cell[me]);
        __syncthreads();
        cell[me] = next;
        __syncthreads();
    }
    out[me] = cell[me];
}
