/*---
description: "Two sorted lists are merged: each element finds its place by a binary search in the other list."
reference: "CUDA C++ Programming Guide, Kernels"
features: [loop, setp, shr]
tags: [published, algorithm]
launches:
  - grid: [1, 1, 1]
    block: [12, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [-4, 0, 3, 3, 9, 20]}
      - {kind: buf, dtype: int32, data: [-5, 0, 1, 3, 21, 22]}
      - {kind: buf, dtype: int32, fill: 0, count: 12}
      - {kind: i32, value: 6}
    expect:
      2: [-5, -4, 0, 0, 1, 3, 3, 3, 9, 20, 21, 22]
---*/
extern "C" __global__ void merge_ranks(const int *a, const int *b, int *out, int n)
{
    int t = threadIdx.x;
    bool first = t < n;
    int v = first ? a[t] : b[t - n];
    const int *other = first ? b : a;
    int low = 0, high = n;
    while (low < high) {
        int mid = (low + high) >> 1;
        if (other[mid] < v || (!first && other[mid] == v))
            low = mid + 1;
        else
            high = mid;
    }
    out[(first ? t : t - n) + low] = v;
}
