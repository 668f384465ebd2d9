/*---
description: "CRC-32 (reflected, polynomial 0xEDB88320) of eight bytes, bit by bit."
reference: "ISO/IEC 8802-3, 3.2.9; RFC 1952, 8"
features: [ld.global.u8, shr.u32, xor, nested loops]
tags: [algorithm]
launches:
  - grid: [1, 1, 1]
    block: [4, 1, 1]
    args:
      - {kind: buf, dtype: uint8, data: [49, 50, 51, 52, 53, 54, 55, 56, 0, 0, 0, 0, 0, 0, 0, 0, 97, 98, 99,
          100, 101, 102, 103, 104, 255, 255, 255, 255, 255, 255, 255, 255]}
      - {kind: buf, dtype: uint32, fill: 0, count: 4}
    expect:
      1: [2598427311, 1696784233, 2934909520, 558161692]
---*/
extern "C" __global__ void crc32_bitwise(const unsigned char *in, unsigned *out)
{
    int t = threadIdx.x;
    unsigned crc = 0xffffffffu;
    #pragma unroll 1
    for (int k = 0; k < 8; ++k) {
        crc ^= in[t * 8 + k];
        #pragma unroll 1
        for (int bit = 0; bit < 8; ++bit)
            crc = (crc >> 1) ^ ((crc & 1) ? 0xedb88320u : 0u);
    }
    out[t] = ~crc;
}
