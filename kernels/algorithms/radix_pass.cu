/*---
description: "One pass of a stable radix sort on two bits."
reference: "CUDA C++ Programming Guide, Shared Memory"
features: [shr, and, stable ranks]
tags: [published, algorithm]
launches:
  - grid: [1, 1, 1]
    block: [12, 1, 1]
    args:
      - {kind: buf, dtype: uint32, data: [9, 4294967295, 6, 3, 12, 5, 0, 3000000000, 7, 10, 1, 14]}
      - {kind: buf, dtype: uint32, fill: 0, count: 12}
      - {kind: i32, value: 0}
      - {kind: i32, value: 12}
    expect:
      1: [12, 0, 3000000000, 9, 5, 1, 6, 10, 14, 4294967295, 3, 7]
  - grid: [1, 1, 1]
    block: [12, 1, 1]
    args:
      - {kind: buf, dtype: uint32, data: [9, 4294967295, 6, 3, 12, 5, 0, 3000000000, 7, 10, 1, 14]}
      - {kind: buf, dtype: uint32, fill: 0, count: 12}
      - {kind: i32, value: 2}
      - {kind: i32, value: 12}
    expect:
      1: [3, 0, 3000000000, 1, 6, 5, 7, 9, 10, 4294967295, 12, 14]
  - grid: [1, 1, 1]
    block: [12, 1, 1]
    args:
      - {kind: buf, dtype: uint32, data: [9, 4294967295, 6, 3, 12, 5, 0, 3000000000, 7, 10, 1, 14]}
      - {kind: buf, dtype: uint32, fill: 0, count: 12}
      - {kind: i32, value: 30}
      - {kind: i32, value: 12}
    expect:
      1: [9, 6, 3, 12, 5, 0, 7, 10, 1, 14, 3000000000, 4294967295]
---*/
extern "C" __global__ void radix_pass(const unsigned *in, unsigned *out, int shift, int n)
{
    int t = threadIdx.x;
    unsigned digit = (in[t] >> shift) & 3u;
    int at = 0;
    for (int k = 0; k < n; ++k) {
        unsigned other = (in[k] >> shift) & 3u;
        if (other < digit || (other == digit && k < t))
            ++at;
    }
    out[at] = in[t];
}
