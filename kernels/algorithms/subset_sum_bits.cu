/*---
description: "All sums of subsets as bits of a word: one shift and one or an item."
reference: "CUDA C++ Programming Guide, Kernels"
features: [shl by a variable, or, loop]
tags: [published, algorithm]
launches:
  - grid: [1, 1, 1]
    block: [4, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [1, 2, 4, 8, 3, 5, 9, 14, 0, 0, 7, 7, 10, 20, 30, 31]}
      - {kind: buf, dtype: uint32, fill: 0, count: 4}
      - {kind: i32, value: 4}
    expect:
      1: [65535, 2496287529, 16513, 3222275073]
---*/
extern "C" __global__ void subset_sum_bits(const int *item, unsigned *out, int n)
{
    const int *v = item + threadIdx.x * n;
    unsigned sums = 1;
    for (int k = 0; k < n; ++k)
        sums |= sums << v[k];
    out[threadIdx.x] = sums;
}
