/*---
description: "Values of Roman numerals kept as letters, one word each."
reference: "CUDA C++ Programming Guide, Kernels"
features: [switch, divergent loop]
tags: [published, algorithm]
covers: [switch-fallthrough]
launches:
  - grid: [1, 1, 1]
    block: [4, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [88, 76, 86, 73, 32, 32, 73, 88, 32, 32, 32, 32, 76, 88, 88, 88, 73, 88,
          67, 67, 88, 67, 86, 32]}
      - {kind: buf, dtype: int32, fill: 0, count: 4}
      - {kind: i32, value: 6}
    expect:
      1: [46, 9, 89, 295]
---*/
extern "C" __global__ void roman_value(const int *letters, int *out, int n)
{
    const int *s = letters + threadIdx.x * n;
    int sum = 0, last = 0;
    #pragma unroll 1
    for (int k = n - 1; k >= 0; --k) {
        int v;
        switch (s[k]) {
        case 'I': v = 1; break;
        case 'V': v = 5; break;
        case 'X': v = 10; break;
        case 'L': v = 50; break;
        case 'C': v = 100; break;
        default: v = 0; break;
        }
        sum += v < last ? -v : v;
        if (v != 0)
            last = v;
    }
    out[threadIdx.x] = sum;
}
