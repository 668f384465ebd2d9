/*---
description: "A branch that all lanes of the first warp take, none of the second, and a mixed third."
reference: "ISO C++17, [stmt.if]"
features: [bra]
tags: [published]
launches:
  - grid: [1, 1, 1]
    block: [12, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [1, 2, 3, 4, -1, -2, -3, -4, 1, -1, 2, -2]}
      - {kind: buf, dtype: int32, fill: 0, count: 12}
    expect:
      1: [10, 20, 30, 40, -2, -3, -4, -5, 10, -2, 20, -3]
---*/
extern "C" __global__ void branch_all_or_none(const int *in, int *out)
{
    unsigned t = threadIdx.x;
    int a = in[t];
    if (a > 0) {
        a *= 10;
    } else {
        a -= 1;
    }
    out[t] = a;
}
