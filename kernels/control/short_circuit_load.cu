/*---
description: "The right operand of && is not evaluated when the left one is false: its load would be outside
  the buffer."
reference: "ISO C++17, [expr.log.and]"
features: [bra, ld.global]
tags: [published]
launches:
  - grid: [1, 1, 1]
    block: [8, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [5, 0, -1, 2147483647, -2147483648]}
      - {kind: buf, dtype: int32, fill: 0, count: 8}
      - {kind: i32, value: 5}
    expect:
      1: [1, 2, 0, 1, 0, 2, 2, 2]
---*/
extern "C" __global__ void short_circuit_load(const int *in, int *out, int n)
{
    int t = (int)threadIdx.x;
    int flags = 0;
    if (t < n && in[t] > 0)
        flags |= 1;
    if (t >= n || in[t] == 0)
        flags |= 2;
    out[t] = flags;
}
