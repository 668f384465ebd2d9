/*---
description: "Insertion sort of six values in a thread's own array."
reference: "CUDA C++ Programming Guide, Local Memory"
features: [ld.local, st.local, nested loops]
tags: [algorithm]
covers: [address-spaces]
launches:
  - grid: [1, 1, 1]
    block: [4, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [4, 1, 3, 2, 9, 0, 6, 6, -1, 5, 5, 2, 1, 2, 3, 4, 5, 6, 9, 7, 5, 3, 1,
          -1]}
      - {kind: buf, dtype: int32, fill: 0, count: 24}
    expect:
      1: [0, 1, 2, 3, 4, 9, -1, 2, 5, 5, 6, 6, 1, 2, 3, 4, 5, 6, -1, 1, 3, 5, 7, 9]
---*/
extern "C" __global__ void local_array_sort(const int *in, int *out)
{
    int v[6];
    int t = threadIdx.x;
    for (int k = 0; k < 6; ++k)
        v[k] = in[t * 6 + k];
    for (int k = 1; k < 6; ++k) {
        int key = v[k], j = k - 1;
        for (; j >= 0 && v[j] > key; --j)
            v[j + 1] = v[j];
        v[j + 1] = key;
    }
    for (int k = 0; k < 6; ++k)
        out[t * 6 + k] = v[k];
}
