/*---
description: "A function that calls another one twice, neither inlined."
reference: "ISO C++17, [expr.call]"
features: [call, .func]
launches:
  - grid: [1, 1, 1]
    block: [6, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [0, 10, 11, -5, 1000, 9]}
      - {kind: buf, dtype: int32, fill: 0, count: 12}
    expect:
      1: [7, 9, 12, 2, 993, 8, -13, -3, 24, -18, 1013, -4]
---*/
static __device__ __noinline__ int step(int v, int d)
{
    return v + (v > 10 ? -d : d);
}

static __device__ __noinline__ int twice(int v, int d)
{
    v = step(v, d);
    return step(v, d + 1);
}

extern "C" __global__ void call_chain(const int *in, int *out)
{
    unsigned t = threadIdx.x;
    int a = in[t];
    out[t] = twice(a, 3);
    out[t + 6] = twice(a, -7);
}
