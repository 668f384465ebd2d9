/*---
description: "Letters are shifted around their alphabet, everything else stays."
reference: "CUDA C++ Programming Guide, Kernels"
features: [ld.global.u8, st.global.u8, range compare]
tags: [algorithm]
launches:
  - grid: [3, 1, 1]
    block: [8, 1, 1]
    args:
      - {kind: buf, dtype: uint8, data: [72, 101, 108, 108, 111, 44, 32, 87, 111, 114, 108, 100, 33, 32, 120,
          121, 122, 32, 52, 50, 32, 65, 66, 67]}
      - {kind: i32, value: 3}
      - {kind: i32, value: 23}
    expect:
      0: [75, 104, 111, 111, 114, 44, 32, 90, 114, 117, 111, 103, 33, 32, 97, 98, 99, 32, 52, 50, 32, 68, 69,
          67]
  - grid: [3, 1, 1]
    block: [8, 1, 1]
    args:
      - {kind: buf, dtype: uint8, data: [72, 101, 108, 108, 111, 44, 32, 87, 111, 114, 108, 100, 33, 32, 120,
          121, 122, 32, 52, 50, 32, 65, 66, 67]}
      - {kind: i32, value: 13}
      - {kind: i32, value: 23}
    expect:
      0: [85, 114, 121, 121, 98, 44, 32, 74, 98, 101, 121, 113, 33, 32, 107, 108, 109, 32, 52, 50, 32, 78, 79,
          67]
---*/
extern "C" __global__ void caesar_cipher(unsigned char *text, int shift, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int c = text[i];
    int first = c >= 'A' && c <= 'Z' ? 'A' : c >= 'a' && c <= 'z' ? 'a' : 0;
    if (first != 0) {
        c = c - first + shift;
        if (c >= 26)
            c -= 26;
        text[i] = (unsigned char)(c + first);
    }
}
