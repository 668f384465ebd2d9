/*---
description: "Whether words read the same backwards; each lane has its own length."
reference: "CUDA C++ Programming Guide, Kernels"
features: [ld.global.u8, two indices, divergent loop]
tags: [algorithm]
launches:
  - grid: [1, 1, 1]
    block: [6, 1, 1]
    args:
      - {kind: buf, dtype: uint8, data: [108, 101, 118, 101, 108, 35, 35, 35, 114, 97, 99, 101, 99, 97, 114, 35,
          97, 98, 99, 97, 35, 35, 35, 35, 97, 35, 35, 35, 35, 35, 35, 35, 110, 111, 111, 110, 110, 111, 111,
          110, 120, 121, 121, 122, 35, 35, 35, 35]}
      - {kind: buf, dtype: int32, data: [5, 7, 4, 1, 8, 4]}
      - {kind: buf, dtype: int32, fill: 0, count: 6}
    expect:
      2: [1, 1, 0, 1, 1, 0]
---*/
extern "C" __global__ void palindrome_check(const unsigned char *text, const int *length, int *out)
{
    int t = threadIdx.x;
    const unsigned char *word = text + t * 8;
    int low = 0, high = length[t] - 1;
    while (low < high && word[low] == word[high]) {
        ++low;
        --high;
    }
    out[t] = low >= high;
}
