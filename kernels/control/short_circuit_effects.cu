/*---
description: "Side effects in the right operands of && and || happen only when the left operand leaves the
  result open."
reference: "ISO C++17, [expr.log.and], [expr.log.or]"
features: [bra, selp]
tags: [published]
launches:
  - grid: [1, 1, 1]
    block: [6, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [0, 0, 1, 1, -1, -2147483648, 0, 1, 0, 1, -1, 0]}
      - {kind: buf, dtype: int32, fill: 0, count: 12}
    expect:
      1: [0, 2, 2, 3, 3, 2, 10, 10, 1, 1, 1, 1]
---*/
extern "C" __global__ void short_circuit_effects(const int *in, int *out)
{
    unsigned t = threadIdx.x;
    int a = in[t];
    int b = in[t + 6];
    int n = 0;
    int r = 0;
    if (a && (++n, b))
        r += 1;
    if (a || (n += 10, b))
        r += 2;
    out[t] = r;
    out[t + 6] = n;
}
