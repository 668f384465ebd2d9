/*---
description: "A tree sum of any length: the middle element waits for the next round."
reference: "CUDA C++ Programming Guide, Shared Memory"
features: [bar.sync, odd sizes]
tags: [published, algorithm]
launches:
  - grid: [1, 1, 1]
    block: [16, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3]}
      - {kind: buf, dtype: int32, data: [0]}
      - {kind: i32, value: 13}
    expect:
      1: [61]
  - grid: [1, 1, 1]
    block: [16, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3]}
      - {kind: buf, dtype: int32, data: [0]}
      - {kind: i32, value: 7}
    expect:
      1: [25]
  - grid: [1, 1, 1]
    block: [16, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3]}
      - {kind: buf, dtype: int32, data: [0]}
      - {kind: i32, value: 1}
    expect:
      1: [3]
  - grid: [1, 1, 1]
    block: [16, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3]}
      - {kind: buf, dtype: int32, data: [0]}
      - {kind: i32, value: 16}
    expect:
      1: [80]
---*/
extern "C" __global__ void reduce_odd_length(const int *in, int *out, int n)
{
    __shared__ int part[16];
    int t = threadIdx.x;
    if (t < n)
        part[t] = in[t];
    __syncthreads();
    while (n > 1) {
        int half = (n + 1) >> 1;
        if (t + half < n)
            part[t] += part[t + half];
        __syncthreads();
        n = half;
    }
    if (t == 0)
        out[0] = part[0];
}
