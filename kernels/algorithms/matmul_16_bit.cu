/*---
description: "Matrix product of 16-bit inputs with a 32-bit sum."
reference: "CUDA C++ Programming Guide, Kernels"
features: [ld.global.s16, mad.wide or mul.lo]
tags: [algorithm]
launches:
  - grid: [1, 1, 1]
    block: [3, 3, 1]
    args:
      - {kind: buf, dtype: int16, data: [-200, 150, 3, 4, -32768, 6, 7, 8, 100]}
      - {kind: buf, dtype: int16, data: [9, -8, 32767, -6, 5, -4, 300, -2, 1]}
      - {kind: buf, dtype: int32, fill: 0, count: 9}
    expect:
      2: [-1800, 2344, -6553997, 198444, -163884, 262146, 30015, -216, 229437]
---*/
extern "C" __global__ void matmul_16_bit(const short *a, const short *b, int *c)
{
    int col = threadIdx.x, row = threadIdx.y;
    int sum = 0;
    for (int k = 0; k < 3; ++k)
        sum += a[row * 3 + k] * b[k * 3 + col];
    c[row * 3 + col] = sum;
}
