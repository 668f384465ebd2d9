/*---
description: "Runs are written out again, each thread finding the start of its run."
reference: "CUDA C++ Programming Guide, Kernels"
features: [uneven loops, scatter]
tags: [published, algorithm]
launches:
  - grid: [1, 1, 1]
    block: [5, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [5, 2, 7, 0, 5]}
      - {kind: buf, dtype: int32, data: [3, 1, 2, 4, 2]}
      - {kind: buf, dtype: int32, fill: 0, count: 12}
    expect:
      2: [5, 5, 5, 2, 7, 7, 0, 0, 0, 0, 5, 5]
---*/
extern "C" __global__ void run_lengths_decode(const int *value, const int *length, int *out)
{
    int t = threadIdx.x;
    int start = 0;
    for (int k = 0; k < t; ++k)
        start += length[k];
    for (int k = 0; k < length[t]; ++k)
        out[start + k] = value[t];
}
