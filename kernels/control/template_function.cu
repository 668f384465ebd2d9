/*---
description: "A function template instantiated for two types: the unsigned one shifts in zeros."
reference: "ISO C++17, [expr.call]"
features: [inlining, shr.s32, shr.u32]
tags: [published]
launches:
  - grid: [1, 1, 1]
    block: [6, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [0, 1, -1, -2147483648, 2147483647, -7]}
      - {kind: buf, dtype: int32, fill: 0, count: 12}
    expect:
      1: [0, 0, -1, -1073741824, 1073741823, -4, 0, 0, 2147483647, 1073741824, 1073741823, 2147483644]
---*/
template <typename T>
static __device__ T half(T v)
{
    return v >> 1;
}

extern "C" __global__ void template_function(const int *in, int *out)
{
    unsigned t = threadIdx.x;
    int a = in[t];
    out[t] = half<int>(a);
    out[t + 6] = (int)half<unsigned>((unsigned)a);
}
