/*---
description: "A function without a result stores through a pointer argument, under divergence."
reference: "ISO C++17, [expr.call]"
features: [call, .func, st.global]
launches:
  - grid: [1, 1, 1]
    block: [4, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [1, 2, -3, 0]}
      - {kind: buf, dtype: int32, fill: 66, count: 8}
    expect:
      1: [2, 66, -6, 66, 66, -2, 66, 0]
---*/
static __device__ __noinline__ void put(int *where, int value)
{
    *where = value;
}

extern "C" __global__ void call_that_stores(const int *in, int *out)
{
    unsigned t = threadIdx.x;
    int v = in[t];
    if (v & 1)
        put(&out[t], v * 2);
    else
        put(&out[t + 4], -v);
}
