/*---
description: "The same search on one character a word."
reference: "CUDA C++ Programming Guide, Kernels"
features: [loop with break, setp]
tags: [published, algorithm]
launches:
  - grid: [1, 1, 1]
    block: [13, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [97, 98, 114, 97, 99, 97, 100, 97, 98, 114, 97, 32, 97, 98, 114, 97]}
      - {kind: buf, dtype: int32, data: [97, 98, 114, 97]}
      - {kind: buf, dtype: int32, fill: 0, count: 13}
      - {kind: i32, value: 4}
    expect:
      2: [1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]
---*/
extern "C" __global__ void string_search_words(const int *text, const int *pattern, int *found, int length)
{
    int i = threadIdx.x;
    int k = 0;
    while (k < length && text[i + k] == pattern[k])
        ++k;
    found[i] = k == length;
}
