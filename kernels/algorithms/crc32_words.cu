/*---
description: "CRC-32 over bytes kept one a word, the polynomial an argument; also CRC-32C."
reference: "ISO/IEC 8802-3, 3.2.9; RFC 1952, 8"
features: [shr.u32, xor, nested loops]
tags: [published, algorithm]
launches:
  - grid: [1, 1, 1]
    block: [1, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [49, 50, 51, 52, 53, 54, 55, 56, 57]}
      - {kind: buf, dtype: uint32, data: [0]}
      - {kind: i32, value: 9}
      - {kind: u32, value: 3988292384}
    expect:
      1: [3421780262]
  - grid: [1, 1, 1]
    block: [1, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [49, 50, 51, 52, 53, 54, 55, 56, 57]}
      - {kind: buf, dtype: uint32, data: [0]}
      - {kind: i32, value: 9}
      - {kind: u32, value: 2197175160}
    expect:
      1: [3808858755]
---*/
extern "C" __global__ void crc32_words(const int *in, unsigned *out, int n, unsigned polynomial)
{
    unsigned crc = 0xffffffffu;
    #pragma unroll 1
    for (int k = 0; k < n; ++k) {
        crc ^= (unsigned)in[k];
        #pragma unroll 1
        for (int bit = 0; bit < 8; ++bit) {
            unsigned low = crc & 1;
            crc >>= 1;
            if (low)
                crc ^= polynomial;
        }
    }
    out[0] = crc ^ 0xffffffffu;
}
