/*---
description: "Words stored as halves and bytes are read back as words: little-endian order."
reference: "PTX ISA, Data Movement: st"
features: [st.global.u16, ld.global.u8, type punning]
launches:
  - grid: [1, 1, 1]
    block: [4, 1, 1]
    args:
      - {kind: buf, dtype: uint32, data: [305419896, 3735928559, 16744449, 2147483648]}
      - {kind: buf, dtype: uint8, fill: 0, count: 16}
      - {kind: buf, dtype: uint16, fill: 0, count: 8}
    expect:
      1: [18, 52, 86, 120, 222, 173, 190, 239, 0, 255, 128, 1, 128, 0, 0, 0]
      2: [4660, 22136, 57005, 48879, 255, 32769, 32768, 0]
---*/
extern "C" __global__ void reinterpret_words(const unsigned *in, unsigned char *bytes, unsigned short *halves)
{
    int t = threadIdx.x;
    const unsigned char *p = (const unsigned char *)(in + t);
    bytes[4 * t] = p[3];
    bytes[4 * t + 1] = p[2];
    bytes[4 * t + 2] = p[1];
    bytes[4 * t + 3] = p[0];
    halves[2 * t] = (unsigned short)(in[t] >> 16);
    halves[2 * t + 1] = (unsigned short)in[t];
}
