/*---
description: "Path halving in a parent table, one thread for all operations."
reference: "Tarjan, Journal of the ACM 22 (1975)"
features: [dependent loads and stores, loops]
tags: [published, algorithm]
launches:
  - grid: [1, 1, 1]
    block: [1, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [0, 3, 1, 6, 7]}
      - {kind: buf, dtype: int32, data: [3, 5, 2, 7, 4]}
      - {kind: buf, dtype: int32, fill: 0, count: 8}
      - {kind: buf, dtype: int32, fill: 0, count: 8}
      - {kind: i32, value: 5}
      - {kind: i32, value: 8}
    expect:
      2: [0, 1, 1, 0, 4, 0, 4, 4]
      3: [0, 1, 1, 0, 4, 0, 4, 4]
---*/
extern "C" __global__ void union_find_roots(const int *a, const int *b, int *parent, int *root, int unions,
                                            int n)
{
    for (int k = 0; k < n; ++k)
        parent[k] = k;
    for (int k = 0; k < unions + n; ++k) {
        int x = k < unions ? a[k] : k - unions;
        int y = k < unions ? b[k] : x;
        while (parent[x] != x) {
            parent[x] = parent[parent[x]];
            x = parent[x];
        }
        while (parent[y] != y)
            y = parent[y];
        if (x < y)
            parent[y] = x;
        else if (y < x)
            parent[x] = y;
        if (k >= unions)
            root[k - unions] = x;
    }
}
