/*---
description: "An inner loop whose bound is the outer counter, with outer bounds that differ by lane."
reference: "ISO C++17, [stmt.for]"
features: [nested loop]
tags: [published]
covers: [loop-trip-count-per-lane]
launches:
  - grid: [1, 1, 1]
    block: [4, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [0, 1, 4, 3]}
      - {kind: buf, dtype: int32, fill: 0, count: 4}
    expect:
      1: [0, 1, 35, 13]
---*/
extern "C" __global__ void loop_nested_triangle(const int *in, int *out)
{
    unsigned t = threadIdx.x;
    int n = in[t];
    int sum = 0;
    #pragma unroll 1
    for (int i = 0; i < n; ++i) {
    #pragma unroll 1
        for (int j = 0; j <= i; ++j)
            sum += i * j + 1;
    }
    out[t] = sum;
}
