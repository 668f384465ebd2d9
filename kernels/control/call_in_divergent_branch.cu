/*---
description: "A function called by some lanes only: the others must not take part in its loop."
reference: "ISO C++17, [expr.call]"
features: [call, .func, loop]
launches:
  - grid: [1, 1, 1]
    block: [8, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [0, 9, -5, 12345, 2147483647, -2147483648, 100, 99]}
      - {kind: buf, dtype: int32, fill: 0, count: 8}
    expect:
      1: [0, 9, 251, 5, 10, 0, 3, 2]
---*/
static __device__ __noinline__ int digits(int v)
{
    int n = 0;
    while (v > 0) {
        v /= 10;
        ++n;
    }
    return n;
}

extern "C" __global__ void call_in_divergent_branch(const int *in, int *out)
{
    unsigned t = threadIdx.x;
    int a = in[t];
    int r;
    if (a >= 10)
        r = digits(a);
    else
        r = a & 0xff;
    out[t] = r;
}
