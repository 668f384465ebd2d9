/*---
description: "The survivor's place in the Josephus problem."
reference: "Graham, Knuth, Patashnik, Concrete Mathematics, 1.3"
features: [loop, conditional subtraction]
tags: [published, algorithm]
launches:
  - grid: [1, 1, 1]
    block: [4, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [1, 5, 14, 21]}
      - {kind: buf, dtype: int32, fill: 0, count: 4}
      - {kind: i32, value: 3}
    expect:
      1: [1, 4, 2, 2]
  - grid: [1, 1, 1]
    block: [4, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [2, 7, 10, 16]}
      - {kind: buf, dtype: int32, fill: 0, count: 4}
      - {kind: i32, value: 2}
    expect:
      1: [1, 7, 5, 1]
---*/
extern "C" __global__ void josephus(const int *people, int *out, int step)
{
    int n = people[threadIdx.x];
    int last = 0;
    for (int size = 2; size <= n; ++size) {
        last += step;
        while (last >= size)
            last -= size;
    }
    out[threadIdx.x] = last + 1;
}
