/*---
description: "Odd-even transposition sort of ten values."
reference: "CUDA C++ Programming Guide, Shared Memory"
features: [bar.sync in a loop, parity]
tags: [published, algorithm]
launches:
  - grid: [1, 1, 1]
    block: [10, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [9, 8, 7, 6, 5, 4, 3, 2, 1, 0]}
      - {kind: buf, dtype: int32, fill: 0, count: 10}
      - {kind: i32, value: 10}
    expect:
      1: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]
  - grid: [1, 1, 1]
    block: [10, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [1, -1, 5, 5, -9, 0, 2, 44, -9, 3]}
      - {kind: buf, dtype: int32, fill: 0, count: 10}
      - {kind: i32, value: 10}
    expect:
      1: [-9, -9, -1, 0, 1, 2, 3, 5, 5, 44]
---*/
extern "C" __global__ void odd_even_sort(const int *in, int *out, int n)
{
    __shared__ int s[10];
    int t = threadIdx.x;
    s[t] = in[t];
    __syncthreads();
    #pragma unroll 1
    for (int round = 0; round < n; ++round) {
        if ((t & 1) == (round & 1) && t + 1 < n && s[t] > s[t + 1]) {
            int keep = s[t];
            s[t] = s[t + 1];
            s[t + 1] = keep;
        }
        __syncthreads();
    }
    out[t] = s[t];
}
