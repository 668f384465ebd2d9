/*---
description: "One buffer is input and output."
reference: "CUDA C++ Programming Guide, Kernels"
features: [ld.global, st.global at one address]
tags: [published]
launches:
  - grid: [2, 1, 1]
    block: [4, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [7, -3, 12, 0, 45, -128, 9, 1]}
      - {kind: i32, value: 7}
    expect:
      0: [22, -9, 35, -2, 132, -388, 22, 1]
---*/
extern "C" __global__ void in_place_update(int *data, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        data[i] = data[i] * 3 + 1;
        data[i] = data[i] - i;
    }
}
