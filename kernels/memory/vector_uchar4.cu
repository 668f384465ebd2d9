/*---
description: "Four bytes of a pixel are loaded as one word and taken apart; the mean keeps its place."
reference: "CUDA C++ Programming Guide, Built-in Vector Types"
features: [ld.global.u32 or ld.global.v4.u8, bit fields]
launches:
  - grid: [1, 1, 1]
    block: [4, 1, 1]
    args:
      - {kind: buf, dtype: uint8, data: [1, 2, 3, 250, 255, 255, 255, 0, 10, 20, 30, 40, 128, 64, 32, 16]}
      - {kind: buf, dtype: uint8, fill: 0, count: 16}
    expect:
      1: [250, 2, 1, 253, 0, 255, 255, 0, 40, 20, 10, 235, 16, 74, 128, 191]
---*/
extern "C" __global__ void vector_uchar4(const uchar4 *in, uchar4 *out)
{
    int t = threadIdx.x;
    uchar4 p = in[t];
    unsigned grey = ((unsigned)p.x + p.y + p.z) / 3;
    out[t] = make_uchar4(p.w, (unsigned char)grey, p.x, (unsigned char)(p.y ^ 255));
}
