/*---
description: "Decimal numbers are read from characters, signs included."
reference: "CUDA C++ Programming Guide, Kernels"
features: [loop, mul by ten, break]
tags: [published, algorithm]
launches:
  - grid: [1, 1, 1]
    block: [4, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [49, 50, 51, 52, 53, 32, 45, 57, 48, 56, 55, 54, 55, 120, 57, 57, 57,
          57, 45, 32, 32, 32, 32, 32]}
      - {kind: buf, dtype: int32, fill: 0, count: 4}
      - {kind: i32, value: 6}
    expect:
      1: [12345, -90876, 7, 0]
---*/
extern "C" __global__ void digits_to_number(const int *text, int *out, int n)
{
    const int *s = text + threadIdx.x * n;
    int k = s[0] == '-';
    int value = 0;
    for (; k < n && s[k] >= '0' && s[k] <= '9'; ++k)
        value = value * 10 + (s[k] - '0');
    out[threadIdx.x] = s[0] == '-' ? -value : value;
}
