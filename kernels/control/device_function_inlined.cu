/*---
description: "A __device__ function with early returns, called twice; inlined or not, each call returns by
  itself."
reference: "ISO C++17, [expr.call]"
features: [inlining, bra]
tags: [published]
launches:
  - grid: [1, 1, 1]
    block: [6, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [0, -1, 15, 16, -2147483648, 2147483647, 5, 16, -7, 3, 2147483647,
          -2147483648]}
      - {kind: buf, dtype: int32, fill: 0, count: 6}
    expect:
      1: [5, -84, 1499, 1603, -84, 1599]
---*/
static __device__ int bucket(int v)
{
    if (v < 0)
        return -1;
    if (v < 16)
        return v;
    return 16;
}

extern "C" __global__ void device_function_inlined(const int *in, int *out)
{
    unsigned t = threadIdx.x;
    int a = in[t];
    int b = in[t + 6];
    out[t] = bucket(a) * 100 + bucket(b);
}
