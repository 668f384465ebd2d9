/*---
description: "Mean of a window of four, rounded down, windows cut at the left edge."
reference: "CUDA C++ Programming Guide, Kernels"
features: [div.s32 by a variable, loop]
tags: [algorithm]
launches:
  - grid: [2, 1, 1]
    block: [8, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [30, 10, 40, 10, 50, 90, 20, 60, 50, 30, 50, 80, 90, 70, 90, 30]}
      - {kind: buf, dtype: int32, fill: 0, count: 16}
      - {kind: i32, value: 4}
    expect:
      1: [30, 20, 26, 22, 27, 47, 42, 55, 55, 40, 47, 52, 62, 72, 82, 70]
---*/
extern "C" __global__ void moving_average(const int *in, int *out, int window)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int from = i - window + 1;
    if (from < 0)
        from = 0;
    int sum = 0;
    for (int k = from; k <= i; ++k)
        sum += in[k];
    out[i] = sum / (i - from + 1);
}
