/*---
description: "Whether placings of queens, one a column, attack each other."
reference: "CUDA C++ Programming Guide, Kernels"
features: [nested loops, break out of both]
tags: [published, algorithm]
launches:
  - grid: [1, 1, 1]
    block: [4, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [1, 3, 5, 0, 2, 4, 0, 1, 2, 3, 4, 5, 2, 5, 1, 4, 0, 3, 0, 2, 4, 1, 3,
          5]}
      - {kind: buf, dtype: int32, fill: 0, count: 4}
      - {kind: i32, value: 6}
    expect:
      1: [1, 0, 1, 0]
---*/
extern "C" __global__ void permutation_queens(const int *row, int *out, int n)
{
    const int *q = row + threadIdx.x * n;
    int safe = 1;
    for (int i = 0; i < n && safe; ++i) {
        for (int k = i + 1; k < n; ++k) {
            int d = q[i] - q[k];
            if (d == 0 || d == k - i || d == i - k) {
                safe = 0;
                break;
            }
        }
    }
    out[threadIdx.x] = safe;
}
