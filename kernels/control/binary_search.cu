/*---
description: "Binary search by every lane for its own key: missing, first, last and duplicate keys."
reference: "Knuth, TAOCP vol. 3, 6.2.1"
features: [loop, bra, ld.global]
tags: [published]
launches:
  - grid: [1, 1, 1]
    block: [8, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [-2147483648, -5, 0, 0, 3, 8, 100, 2147483647]}
      - {kind: buf, dtype: int32, data: [-2147483648, 2147483647, 0, 7, -6, 100, 101, 3]}
      - {kind: buf, dtype: int32, fill: 0, count: 8}
      - {kind: i32, value: 8}
    expect:
      2: [0, 7, 2, -6, -2, 6, -8, 4]
---*/
extern "C" __global__ void binary_search(const int *sorted, const int *keys, int *out, int n)
{
    int key = keys[threadIdx.x];
    int low = 0;
    int high = n;
    while (low < high) {
        int mid = (low + high) >> 1;
        if (sorted[mid] < key)
            low = mid + 1;
        else
            high = mid;
    }
    out[threadIdx.x] = low < n && sorted[low] == key ? low : -1 - low;
}
