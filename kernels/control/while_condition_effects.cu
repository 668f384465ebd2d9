/*---
description: "The condition of a while loop changes the values that the body and the code after it read."
reference: "ISO C++17, [stmt.while]"
features: [loop]
tags: [published]
launches:
  - grid: [1, 1, 1]
    block: [6, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [0, 3, 4, 100, -2, 12]}
      - {kind: buf, dtype: int32, fill: 0, count: 18}
    expect:
      1: [1, 1, 2, 7, 1, 4, -3, 0, -2, 79, -5, 0, 0, 0, 1, 6, 0, 3]
---*/
extern "C" __global__ void while_condition_effects(const int *in, int *out)
{
    unsigned t = threadIdx.x;
    int a = in[t];
    int n = 0;
    int body = 0;
    while (++n, (a -= 3) > 0 && n != 7)
        ++body;
    out[t] = n;
    out[t + 6] = a;
    out[t + 12] = body;
}
