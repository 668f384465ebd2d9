/*---
description: "Negative offsets from a pointer past the end."
reference: "CUDA C++ Programming Guide, Kernels"
features: [negative address offset]
tags: [published]
launches:
  - grid: [1, 1, 1]
    block: [7, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [7, -3, 12, 0, 45, -128, 9, 1]}
      - {kind: buf, dtype: int32, fill: 0, count: 7}
      - {kind: i32, value: 8}
    expect:
      1: [-8, 137, -173, 45, -12, 15, -10]
---*/
extern "C" __global__ void pointer_from_end(const int *in, int *out, int n)
{
    const int *end = in + n;
    int t = threadIdx.x;
    out[t] = end[-1 - t] - end[-2 - t];
}
