/*---
description: "A grid-stride loop covers every element once for any grid and block, ragged tails included."
reference: "CUDA C++ Programming Guide, Kernels"
features: [loop, "%nctaid", "%ntid"]
tags: [published]
launches:
  - grid: [2, 1, 1]
    block: [4, 1, 1]
    args:
      - {kind: buf, dtype: uint32, data: [0, 9, 18, 27, 36, 45, 54, 63, 72, 81, 4294967295, 2147483648,
          1431655765]}
      - {kind: buf, dtype: uint32, fill: 5, count: 13}
      - {kind: i32, value: 13}
    expect:
      1: [1, 28, 55, 82, 109, 136, 163, 190, 217, 244, 4294967294, 2147483649, 0]
  - grid: [1, 1, 1]
    block: [3, 1, 1]
    args:
      - {kind: buf, dtype: uint32, data: [0, 9, 18, 27, 36, 45, 54, 63, 72, 81, 4294967295, 2147483648,
          1431655765]}
      - {kind: buf, dtype: uint32, fill: 5, count: 13}
      - {kind: i32, value: 11}
    expect:
      1: [1, 28, 55, 82, 109, 136, 163, 190, 217, 244, 4294967294, 5, 5]
  - grid: [1, 1, 1]
    block: [16, 1, 1]
    args:
      - {kind: buf, dtype: uint32, data: [0, 9, 18, 27, 36, 45, 54, 63, 72, 81, 4294967295, 2147483648,
          1431655765]}
      - {kind: buf, dtype: uint32, fill: 5, count: 13}
      - {kind: i32, value: 13}
    expect:
      1: [1, 28, 55, 82, 109, 136, 163, 190, 217, 244, 4294967294, 2147483649, 0]
  - grid: [3, 1, 1]
    block: [2, 1, 1]
    args:
      - {kind: buf, dtype: uint32, data: [0, 9, 18, 27, 36, 45, 54, 63, 72, 81, 4294967295, 2147483648,
          1431655765]}
      - {kind: buf, dtype: uint32, fill: 5, count: 13}
      - {kind: i32, value: 2}
    expect:
      1: [1, 28, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5]
---*/
extern "C" __global__ void grid_stride(const unsigned *in, unsigned *out, int n)
{
    int step = (int)(gridDim.x * blockDim.x);
    for (int i = (int)(blockIdx.x * blockDim.x + threadIdx.x); i < n; i += step)
        out[i] = in[i] * 3u + 1u;
}
