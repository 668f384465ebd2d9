/*---
description: "Median filter of width three, edges repeated."
reference: "CUDA C++ Programming Guide, Kernels"
features: [min, max]
tags: [published, algorithm]
launches:
  - grid: [4, 1, 1]
    block: [4, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3]}
      - {kind: buf, dtype: int32, fill: -1, count: 16}
      - {kind: i32, value: 15}
    expect:
      1: [3, 3, 1, 4, 5, 5, 6, 5, 5, 5, 5, 8, 8, 9, 9, -1]
---*/
extern "C" __global__ void median_of_three(const int *in, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int a = in[i > 0 ? i - 1 : 0], b = in[i], c = in[i + 1 < n ? i + 1 : n - 1];
    out[i] = max(min(a, b), min(max(a, b), c));
}
