/*---
description: "A loop whose condition is false at once does nothing, also for negative bounds."
reference: "ISO C++17, [stmt.for]"
features: [loop]
tags: [published]
launches:
  - grid: [1, 1, 1]
    block: [4, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [0, -1, -2147483648, 2]}
      - {kind: buf, dtype: int32, fill: 0, count: 4}
    expect:
      1: [-1, -1, -1, 13]
---*/
extern "C" __global__ void loop_zero_trips(const int *in, int *out)
{
    unsigned t = threadIdx.x;
    int n = in[t];
    int r = -1;
    #pragma unroll 1
    for (int i = 0; i < n; ++i)
        r += 7;
    out[t] = r;
}
