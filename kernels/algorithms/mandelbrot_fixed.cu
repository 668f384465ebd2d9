/*---
description: "Escape times of the Mandelbrot set in fixed point with eight fraction bits."
reference: "CUDA C++ Programming Guide, Kernels"
features: [mul.lo, shr.s32, data-dependent loop]
tags: [published, algorithm]
launches:
  - grid: [1, 1, 1]
    block: [5, 3, 1]
    args:
      - {kind: buf, dtype: int32, fill: 0, count: 15}
      - {kind: i32, value: 12}
    expect:
      0: [1, 3, 6, 12, 5, 12, 12, 12, 12, 5, 1, 3, 6, 12, 5]
---*/
extern "C" __global__ void mandelbrot_fixed(int *out, int limit)
{
    int cx = (int)threadIdx.x * 160 - 512;
    int cy = (int)threadIdx.y * 128 - 128;
    int x = 0, y = 0, k = 0;
    while (k < limit) {
        int x2 = (x * x) >> 8, y2 = (y * y) >> 8;
        if (x2 + y2 > 1024)
            break;
        y = ((2 * x * y) >> 8) + cy;
        x = x2 - y2 + cx;
        ++k;
    }
    out[threadIdx.y * blockDim.x + threadIdx.x] = k;
}
