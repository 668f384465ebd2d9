/*---
description: "Sum of decimal digits and the number of digits."
reference: "CUDA C++ Programming Guide, Kernels"
features: [div.u32 by ten, mul.hi.u32, loop]
tags: [algorithm]
covers: [div-rem-edge, mul-hi-wide]
launches:
  - grid: [1, 1, 1]
    block: [8, 1, 1]
    args:
      - {kind: buf, dtype: uint32, data: [0, 9, 10, 99999, 4294967295, 1000000000, 123456789, 2147483648]}
      - {kind: buf, dtype: int32, fill: 0, count: 8}
    expect:
      1: [1, 901, 102, 4505, 5710, 110, 4509, 4710]
---*/
extern "C" __global__ void digit_sum(const unsigned *in, int *out)
{
    unsigned n = in[threadIdx.x];
    int sum = 0, digits = 0;
    do {
        unsigned rest = n / 10;
        sum += (int)(n - rest * 10);
        ++digits;
        n = rest;
    } while (n != 0);
    out[threadIdx.x] = sum * 100 + digits;
}
