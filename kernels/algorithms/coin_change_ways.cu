/*---
description: "Ways to pay every sum up to n, by one thread that fills the table in place."
reference: "CUDA C++ Programming Guide, Kernels"
features: [nested loops, dependent updates]
tags: [published, algorithm]
launches:
  - grid: [1, 1, 1]
    block: [1, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [1, 2, 5]}
      - {kind: i32, value: 3}
      - {kind: buf, dtype: int32, fill: 0, count: 21}
      - {kind: i32, value: 20}
    expect:
      2: [1, 1, 2, 2, 3, 4, 5, 6, 7, 8, 10, 11, 13, 14, 16, 18, 20, 22, 24, 26, 29]
---*/
extern "C" __global__ void coin_change_ways(const int *coin, int coins, int *ways, int n)
{
    ways[0] = 1;
    for (int k = 0; k < coins; ++k) {
        int c = coin[k];
        for (int s = c; s <= n; ++s)
            ways[s] += ways[s - c];
    }
}
