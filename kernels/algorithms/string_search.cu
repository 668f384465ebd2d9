/*---
description: "Every place where a pattern occurs in a text."
reference: "CUDA C++ Programming Guide, Kernels"
features: [ld.global.u8, loop with break]
tags: [algorithm]
launches:
  - grid: [1, 1, 1]
    block: [13, 1, 1]
    args:
      - {kind: buf, dtype: uint8, data: [97, 98, 114, 97, 99, 97, 100, 97, 98, 114, 97, 32, 97, 98, 114, 97]}
      - {kind: buf, dtype: uint8, data: [97, 98, 114, 97]}
      - {kind: buf, dtype: int32, fill: 0, count: 13}
      - {kind: i32, value: 4}
    expect:
      2: [1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]
---*/
extern "C" __global__ void string_search(const unsigned char *text, const unsigned char *pattern, int *found,
                                         int length)
{
    int i = threadIdx.x;
    int hit = 1;
    for (int k = 0; k < length; ++k) {
        if (text[i + k] != pattern[k]) {
            hit = 0;
            break;
        }
    }
    found[i] = hit;
}
