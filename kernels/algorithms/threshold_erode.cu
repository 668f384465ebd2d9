/*---
description: "A binary image by threshold, then erosion by its four neighbours."
reference: "CUDA C++ Programming Guide, Kernels"
features: [bar.sync, setp, and.b32]
tags: [published, algorithm]
launches:
  - grid: [1, 1, 1]
    block: [4, 4, 1]
    args:
      - {kind: buf, dtype: int32, data: [9, 8, 7, 1, 6, 6, 6, 6, 5, 9, 9, 9, 0, 8, 8, 8]}
      - {kind: buf, dtype: int32, fill: 0, count: 16}
      - {kind: i32, value: 5}
    expect:
      1: [1, 1, 0, 0, 1, 1, 1, 0, 0, 1, 1, 1, 0, 0, 1, 1]
---*/
extern "C" __global__ void threshold_erode(const int *in, int *out, int level)
{
    __shared__ int bit[16];
    int x = threadIdx.x, y = threadIdx.y;
    int me = y * 4 + x;
    bit[me] = in[me] >= level;
    __syncthreads();
    int keep = bit[me];
    keep &= x == 0 || bit[me - 1];
    keep &= x == 3 || bit[me + 1];
    keep &= y == 0 || bit[me - 4];
    keep &= y == 3 || bit[me + 4];
    out[me] = keep;
}
