/*---
description: "A for loop with a trip count of its own for each lane, zero among them."
reference: "ISO C++17, [stmt.for]"
features: [loop, bra]
tags: [published]
covers: [loop-trip-count-per-lane]
launches:
  - grid: [1, 1, 1]
    block: [8, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [0, 1, 5, 2, 0, 9, 3, 4]}
      - {kind: buf, dtype: int32, fill: 0, count: 16}
    expect:
      1: [0, 0, 30, 1, 0, 204, 5, 14, 0, 1, 5, 2, 0, 9, 3, 4]
---*/
extern "C" __global__ void loop_uneven(const int *in, int *out)
{
    unsigned t = threadIdx.x;
    int n = in[t];
    int sum = 0;
    int i;
    #pragma unroll 1
    for (i = 0; i < n; ++i)
        sum += i * i;
    out[t] = sum;
    out[t + 8] = i;
}
