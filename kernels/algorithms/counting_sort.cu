/*---
description: "Counts, their prefix sums, then every thread emits the values of its bin."
reference: "CUDA C++ Programming Guide, Shared Memory"
features: [atom.shared.add, prefix, uneven loops]
tags: [published, algorithm]
launches:
  - grid: [1, 1, 1]
    block: [8, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [3, 7, 0, 3, 1, 3, 6, 0, 7, 1, 1, 5, 3, 0]}
      - {kind: buf, dtype: int32, fill: 0, count: 14}
      - {kind: i32, value: 14}
    expect:
      1: [0, 0, 0, 1, 1, 1, 3, 3, 3, 3, 5, 6, 7, 7]
---*/
extern "C" __global__ void counting_sort(const int *in, int *out, int n)
{
    __shared__ int count[8];
    int t = threadIdx.x;
    count[t] = 0;
    __syncthreads();
    #pragma unroll 1
    for (int i = t; i < n; i += 8)
        atomicAdd(&count[in[i]], 1);
    __syncthreads();
    int start = 0;
    #pragma unroll 1
    for (int k = 0; k < t; ++k)
        start += count[k];
    #pragma unroll 1
    for (int k = 0; k < count[t]; ++k)
        out[start + k] = t;
}
