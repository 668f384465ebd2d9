/*---
description: "Rows of Pascal's triangle, each from the one before."
reference: "CUDA C++ Programming Guide, Kernels"
features: [bar.sync in a loop, write after read]
tags: [published, algorithm]
launches:
  - grid: [1, 1, 1]
    block: [9, 1, 1]
    args:
      - {kind: buf, dtype: int32, fill: 0, count: 9}
      - {kind: i32, value: 9}
    expect:
      0: [1, 8, 28, 56, 70, 56, 28, 8, 1]
  - grid: [1, 1, 1]
    block: [9, 1, 1]
    args:
      - {kind: buf, dtype: int32, fill: 0, count: 9}
      - {kind: i32, value: 5}
    expect:
      0: [1, 4, 6, 4, 1, 0, 0, 0, 0]
---*/
extern "C" __global__ void pascal_rows(int *out, int rows)
{
    __shared__ int row[9];
    int t = threadIdx.x;
    row[t] = t == 0;
    __syncthreads();
    for (int r = 1; r < rows; ++r) {
        int v = t > 0 ? row[t - 1] : 0;
        __syncthreads();
        row[t] += v;
        __syncthreads();
    }
    out[t] = row[t];
}
