/*---
description: "Stable partition: what passes first, the rest after it."
reference: "CUDA C++ Programming Guide, Shared Memory"
features: [counting loops, scatter]
tags: [published, algorithm]
launches:
  - grid: [1, 1, 1]
    block: [12, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8]}
      - {kind: buf, dtype: int32, fill: 0, count: 12}
      - {kind: i32, value: 5}
      - {kind: i32, value: 12}
    expect:
      1: [3, 1, 4, 1, 2, 3, 5, 9, 6, 5, 5, 8]
---*/
extern "C" __global__ void partition_stable(const int *in, int *out, int pivot, int n)
{
    int t = threadIdx.x;
    int v = in[t];
    bool low = v < pivot;
    int before = 0, all = 0;
    for (int k = 0; k < n; ++k) {
        int hit = in[k] < pivot;
        all += hit;
        if (k < t)
            before += hit;
    }
    out[low ? before : all + t - before] = v;
}
