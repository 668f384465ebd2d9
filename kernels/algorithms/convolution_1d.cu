/*---
description: "Convolution with five weights, valid part only."
reference: "CUDA C++ Programming Guide, Kernels"
features: [mad.lo, loop]
tags: [published, algorithm]
launches:
  - grid: [3, 1, 1]
    block: [4, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3]}
      - {kind: buf, dtype: int32, data: [1, -2, 3, -2, 1]}
      - {kind: buf, dtype: int32, fill: 0, count: 12}
      - {kind: i32, value: 5}
    expect:
      2: [16, -5, 1, 20, -14, 16, 4, 3, 7, 6, 11, -4]
---*/
extern "C" __global__ void convolution_1d(const int *in, const int *weight, int *out, int taps)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int sum = 0;
    for (int k = 0; k < taps; ++k)
        sum += weight[k] * in[i + k];
    out[i] = sum;
}
