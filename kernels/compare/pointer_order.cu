/*---
description: "Pointers into one buffer compare like their indices, and their difference counts elements."
reference: "ISO C++17, [expr.rel], [expr.add]"
features: [setp.lt.u64, setp.eq.s64, shr.s64]
launches:
  - grid: [1, 1, 1]
    block: [4, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [0, 7, 3, 5, 7, 0, 3, 4]}
      - {kind: buf, dtype: int32, fill: 0, count: 8}
    expect:
      1: [1, 4, 2, 4, -7, 7, 0, 1]
---*/
extern "C" __global__ void pointer_order(const int *in, int *out)
{
    unsigned t = threadIdx.x;
    const int *p = in + in[t];
    const int *q = in + in[t + 4];
    out[t] = (p < q) + 2 * (p == q) + 4 * (p > q);
    out[t + 4] = (int)(p - q);
}
