/*---
description: "The majority element by pairing off different ones, then a count."
reference: "Boyer and Moore, 1981"
features: [divergent loop, two passes]
tags: [published, algorithm]
launches:
  - grid: [1, 1, 1]
    block: [4, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [3, 3, 4, 2, 3, 1, 2, 3, 4, 5, 7, 7, 7, 7, 7, 6, 1, 6, 1, 6]}
      - {kind: buf, dtype: int32, fill: 0, count: 4}
      - {kind: i32, value: 5}
    expect:
      1: [3, -1, 7, 6]
---*/
extern "C" __global__ void majority_vote(const int *in, int *out, int n)
{
    const int *v = in + threadIdx.x * n;
    int who = 0, lead = 0;
    for (int k = 0; k < n; ++k) {
        if (lead == 0) {
            who = v[k];
            lead = 1;
        } else {
            lead += v[k] == who ? 1 : -1;
        }
    }
    int count = 0;
    for (int k = 0; k < n; ++k)
        count += v[k] == who;
    out[threadIdx.x] = 2 * count > n ? who : -1;
}
