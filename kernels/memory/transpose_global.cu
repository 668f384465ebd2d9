/*---
description: "A 3 x 4 matrix is stored transposed, one thread an element."
reference: "CUDA C++ Programming Guide, Thread Hierarchy"
features: [tid.y, mad.lo.s32]
tags: [published]
launches:
  - grid: [1, 1, 1]
    block: [4, 3, 1]
    args:
      - {kind: buf, dtype: int32, data: [0, 1, 2, 3, 10, 11, 12, 13, 20, 21, 22, 23]}
      - {kind: buf, dtype: int32, fill: 0, count: 12}
    expect:
      1: [0, 10, 20, 1, 11, 21, 2, 12, 22, 3, 13, 23]
---*/
extern "C" __global__ void transpose_global(const int *in, int *out)
{
    int col = threadIdx.x, row = threadIdx.y;
    out[col * 3 + row] = in[row * 4 + col];
}
