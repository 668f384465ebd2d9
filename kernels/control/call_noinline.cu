/*---
description: "A call that is not inlined passes two arguments and returns a value."
reference: "ISO C++17, [expr.call]"
features: [call, .func, ret]
launches:
  - grid: [1, 1, 1]
    block: [4, 1, 1]
    args:
      - {kind: buf, dtype: uint32, data: [0, 1, 4294967295, 2147483648, 0, 65535, 1, 5]}
      - {kind: buf, dtype: uint32, fill: 0, count: 4}
    expect:
      1: [0, 448220928, 3364245248, 566598389]
---*/
static __device__ __noinline__ unsigned mix(unsigned x, unsigned y)
{
    return (x ^ (y << 7)) * 2654435761u;
}

extern "C" __global__ void call_noinline(const unsigned *in, unsigned *out)
{
    unsigned t = threadIdx.x;
    unsigned a = in[t];
    unsigned b = in[t + 4];
    out[t] = mix(a, b) + mix(b, a);
}
