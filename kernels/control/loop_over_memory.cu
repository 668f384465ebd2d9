/*---
description: "A linked list is followed by each lane from its own start; the number of hops differs and one
  lane has none."
reference: "ISO C++17, [stmt.while]"
features: [loop, ld.global]
tags: [published]
launches:
  - grid: [1, 1, 1]
    block: [4, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [3, -1, 1, 5, 2, 4]}
      - {kind: buf, dtype: int32, data: [0, 1, -1, 4]}
      - {kind: buf, dtype: int32, fill: 9, count: 8}
    expect:
      2: [6, 1, 0, 3, 35421, 1, 0, 421]
---*/
extern "C" __global__ void loop_over_memory(const int *next, const int *start, int *out)
{
    unsigned t = threadIdx.x;
    int at = start[t];
    int hops = 0;
    int sum = 0;
    while (at >= 0) {
        sum = sum * 10 + at;
        at = next[at];
        ++hops;
    }
    out[t] = hops;
    out[t + 4] = sum;
}
