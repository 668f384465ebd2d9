/*---
description: "A do-while loop runs once even if its condition is false from the start."
reference: "ISO C++17, [stmt.do]"
features: [loop]
tags: [published]
launches:
  - grid: [1, 1, 1]
    block: [6, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [0, 1, -5, 3, 8, 2]}
      - {kind: buf, dtype: int32, fill: 0, count: 12}
    expect:
      1: [1, 1, 1, 3, 8, 2, -1, 0, -6, 0, 0, 0]
---*/
extern "C" __global__ void loop_do_while(const int *in, int *out)
{
    unsigned t = threadIdx.x;
    int n = in[t];
    int rounds = 0;
    #pragma unroll 1
    do {
        ++rounds;
        --n;
    } while (n > 0);
    out[t] = rounds;
    out[t + 6] = n;
}
