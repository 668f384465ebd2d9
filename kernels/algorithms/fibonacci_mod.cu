/*---
description: "Fibonacci numbers modulo 1000 by a loop with a conditional subtraction."
reference: "CUDA C++ Programming Guide, Kernels"
features: [loop, setp, sub]
tags: [published, algorithm]
launches:
  - grid: [1, 1, 1]
    block: [8, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [0, 1, 2, 10, 17, 24, 30, 33]}
      - {kind: buf, dtype: int32, fill: 0, count: 8}
      - {kind: i32, value: 1000}
    expect:
      1: [0, 1, 1, 55, 597, 368, 40, 578]
---*/
extern "C" __global__ void fibonacci_mod(const int *in, int *out, int modulus)
{
    int n = in[threadIdx.x];
    int a = 0, b = 1;
    for (int k = 0; k < n; ++k) {
        int c = a + b;
        if (c >= modulus)
            c -= modulus;
        a = b;
        b = c;
    }
    out[threadIdx.x] = a;
}
