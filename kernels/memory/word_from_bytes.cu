/*---
description: "A little-endian word is put together from bytes at any offset."
reference: "PTX ISA, Data Movement: ld"
features: [ld.global.u8, shl.b32, or.b32]
launches:
  - grid: [1, 1, 1]
    block: [9, 1, 1]
    args:
      - {kind: buf, dtype: uint8, data: [1, 130, 3, 132, 5, 134, 7, 136, 9, 138, 11, 140]}
      - {kind: buf, dtype: uint32, fill: 0, count: 9}
    expect:
      1: [2214822401, 92537730, 2248508419, 126223748, 2282194437, 159909766, 2315880455, 193595784, 2349566473]
---*/
extern "C" __global__ void word_from_bytes(const unsigned char *in, unsigned *out)
{
    int t = threadIdx.x;
    const unsigned char *p = in + t;
    out[t] = p[0] | p[1] << 8 | p[2] << 16 | (unsigned)p[3] << 24;
}
