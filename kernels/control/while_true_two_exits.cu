/*---
description: "A loop without a condition, left at two places; which one it was is seen afterwards."
reference: "ISO C++17, [stmt.while]"
features: [loop, bra]
tags: [published]
launches:
  - grid: [1, 1, 1]
    block: [6, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [0, 101, 1, 50, -1, 3, 100, 5, 2, 0, 10, 100]}
      - {kind: buf, dtype: int32, fill: 0, count: 12}
    expect:
      1: [7, 0, 2, 0, 10, 5, 1, 1, 2, 2, 2, 1]
---*/
extern "C" __global__ void while_true_two_exits(const int *in, int *out)
{
    unsigned t = threadIdx.x;
    int a = in[t];
    int b = in[t + 6];
    int n = 0;
    int why;
    while (true) {
        if (a > 100) {
            why = 1;
            break;
        }
        if (--b < 0) {
            why = 2;
            break;
        }
        a = a * 2 + 1;
        ++n;
    }
    out[t] = n;
    out[t + 6] = why;
}
