/*---
description: "A pointer runs through memory in a loop instead of an index."
reference: "CUDA C++ Programming Guide, Kernels"
features: [loop, add.s64 on pointers]
tags: [published]
launches:
  - grid: [1, 1, 1]
    block: [4, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [3, -1, 4, 1, -5, 9, 2, 6, 5, 3, -5, 8]}
      - {kind: buf, dtype: int32, fill: 0, count: 4}
      - {kind: i32, value: 3}
    expect:
      1: [14, 3, 25, 10]
---*/
extern "C" __global__ void pointer_increment_loop(const int *in, int *out, int n)
{
    const int *p = in + threadIdx.x * n;
    const int *end = p + n;
    int sum = 0;
    while (p != end)
        sum = sum * 2 + *p++;
    out[threadIdx.x] = sum;
}
