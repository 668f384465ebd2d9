/*---
description: "Each value counts how many come before it and goes there; equal values keep their order."
reference: "CUDA C++ Programming Guide, Kernels"
features: [setp, selp, scatter]
tags: [published, algorithm]
launches:
  - grid: [1, 1, 1]
    block: [8, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [5, -2, 9, 0, 5, 12, -7, 3]}
      - {kind: buf, dtype: int32, fill: 0, count: 8}
      - {kind: i32, value: 8}
    expect:
      1: [-694, -199, 3, 307, 500, 504, 902, 1205]
---*/
extern "C" __global__ void rank_sort(const int *in, int *out, int n)
{
    int t = threadIdx.x;
    int v = in[t], rank = 0;
    for (int k = 0; k < n; ++k) {
        int w = in[k];
        if (w < v || (w == v && k < t))
            ++rank;
    }
    out[rank] = v * 100 + t;
}
