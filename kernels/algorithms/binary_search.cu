/*---
description: "Lower bounds in a sorted list, missing values and repeated ones included."
reference: "Knuth, The Art of Computer Programming 3, 6.2.1"
features: [loop, shr, setp]
tags: [published, algorithm]
launches:
  - grid: [1, 1, 1]
    block: [8, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [-9, -2, 0, 0, 0, 5, 8, 13, 13, 40]}
      - {kind: buf, dtype: int32, data: [-100, -9, 0, 1, 13, 14, 40, 41]}
      - {kind: buf, dtype: int32, fill: 0, count: 8}
      - {kind: i32, value: 10}
    expect:
      2: [0, 0, 2, 5, 7, 9, 9, 10]
---*/
extern "C" __global__ void binary_search(const int *sorted, const int *key, int *out, int n)
{
    int k = key[threadIdx.x];
    int low = 0, high = n;
    while (low < high) {
        int mid = low + ((high - low) >> 1);
        if (sorted[mid] < k)
            low = mid + 1;
        else
            high = mid;
    }
    out[threadIdx.x] = low;
}
