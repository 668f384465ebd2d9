/*---
description: "The largest sum of a contiguous part, by Kadane's scan, one thread a list."
reference: "Bentley, Communications of the ACM 27 (1984)"
features: [max.s32, loop]
tags: [published, algorithm]
launches:
  - grid: [1, 1, 1]
    block: [4, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [-2, 1, -3, 4, -1, 2, -5, -4, -9, -1, -7, -2, 1, 2, 3, 4, 5, 6, 9, -10,
          8, -1, 3, -20]}
      - {kind: buf, dtype: int32, fill: 0, count: 4}
      - {kind: i32, value: 6}
    expect:
      1: [5, -1, 21, 10]
---*/
extern "C" __global__ void max_subarray(const int *in, int *out, int n)
{
    const int *v = in + threadIdx.x * n;
    int best = v[0], here = v[0];
    for (int k = 1; k < n; ++k) {
        here = max(here, 0) + v[k];
        best = max(best, here);
    }
    out[threadIdx.x] = best;
}
