/*---
description: "A stride given at run time; the last trip stops before the end of the buffer."
reference: "CUDA C++ Programming Guide, Kernels"
features: [loop, stride]
tags: [published]
launches:
  - grid: [1, 1, 1]
    block: [3, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [3, -1, 4, 1, -5, 9, 2, 6, 5, 3, -5]}
      - {kind: buf, dtype: int32, fill: -9, count: 5}
      - {kind: i32, value: 11}
      - {kind: i32, value: 3}
    expect:
      1: [9, -5, 18, -9, -9]
  - grid: [1, 1, 1]
    block: [5, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [3, -1, 4, 1, -5, 9, 2, 6, 5, 3, -5]}
      - {kind: buf, dtype: int32, fill: -9, count: 5}
      - {kind: i32, value: 11}
      - {kind: i32, value: 5}
    expect:
      1: [7, 1, 10, 6, -2]
---*/
extern "C" __global__ void strided_sum(const int *in, int *out, int n, int stride)
{
    int sum = 0;
    for (int i = threadIdx.x; i < n; i += stride)
        sum += in[i];
    out[threadIdx.x] = sum;
}
