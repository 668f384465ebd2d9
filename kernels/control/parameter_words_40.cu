/*---
description: "Two pointers and 36 ints: more parameter words than a small machine has."
reference: "CUDA C++ Programming Guide, Execution Configuration"
features: [ld.param]
tags: [wide]
launches:
  - grid: [1, 1, 1]
    block: [4, 1, 1]
    args:
      - {kind: buf, dtype: uint32, data: [0, 1, 4294967295, 12345]}
      - {kind: buf, dtype: uint32, fill: 0, count: 4}
      - {kind: u32, value: 1}
      - {kind: u32, value: 38}
      - {kind: u32, value: 75}
      - {kind: u32, value: 112}
      - {kind: u32, value: 149}
      - {kind: u32, value: 186}
      - {kind: u32, value: 223}
      - {kind: u32, value: 260}
      - {kind: u32, value: 297}
      - {kind: u32, value: 334}
      - {kind: u32, value: 371}
      - {kind: u32, value: 408}
      - {kind: u32, value: 445}
      - {kind: u32, value: 482}
      - {kind: u32, value: 519}
      - {kind: u32, value: 556}
      - {kind: u32, value: 593}
      - {kind: u32, value: 630}
      - {kind: u32, value: 667}
      - {kind: u32, value: 704}
      - {kind: u32, value: 741}
      - {kind: u32, value: 778}
      - {kind: u32, value: 815}
      - {kind: u32, value: 852}
      - {kind: u32, value: 889}
      - {kind: u32, value: 926}
      - {kind: u32, value: 963}
      - {kind: u32, value: 1000}
      - {kind: u32, value: 1037}
      - {kind: u32, value: 1074}
      - {kind: u32, value: 1111}
      - {kind: u32, value: 1148}
      - {kind: u32, value: 1185}
      - {kind: u32, value: 1222}
      - {kind: u32, value: 1259}
      - {kind: u32, value: 1296}
    expect:
      1: [3503116242, 1549735587, 1161529601, 965330011]
---*/
extern "C" __global__ void parameter_words_40(const unsigned *in, unsigned *out, unsigned p0, unsigned p1, unsigned p2, unsigned p3, unsigned p4, unsigned p5, unsigned p6, unsigned p7, unsigned p8, unsigned p9, unsigned p10, unsigned p11,
    unsigned p12, unsigned p13, unsigned p14, unsigned p15, unsigned p16, unsigned p17, unsigned p18, unsigned p19, unsigned p20, unsigned p21, unsigned p22, unsigned p23,
    unsigned p24, unsigned p25, unsigned p26, unsigned p27, unsigned p28, unsigned p29, unsigned p30, unsigned p31, unsigned p32, unsigned p33, unsigned p34, unsigned p35)
{
    unsigned v = in[threadIdx.x];
    v = v * 3u + p0;
    v = v * 3u + p1;
    v = v * 3u + p2;
    v = v * 3u + p3;
    v = v * 3u + p4;
    v = v * 3u + p5;
    v = v * 3u + p6;
    v = v * 3u + p7;
    v = v * 3u + p8;
    v = v * 3u + p9;
    v = v * 3u + p10;
    v = v * 3u + p11;
    v = v * 3u + p12;
    v = v * 3u + p13;
    v = v * 3u + p14;
    v = v * 3u + p15;
    v = v * 3u + p16;
    v = v * 3u + p17;
    v = v * 3u + p18;
    v = v * 3u + p19;
    v = v * 3u + p20;
    v = v * 3u + p21;
    v = v * 3u + p22;
    v = v * 3u + p23;
    v = v * 3u + p24;
    v = v * 3u + p25;
    v = v * 3u + p26;
    v = v * 3u + p27;
    v = v * 3u + p28;
    v = v * 3u + p29;
    v = v * 3u + p30;
    v = v * 3u + p31;
    v = v * 3u + p32;
    v = v * 3u + p33;
    v = v * 3u + p34;
    v = v * 3u + p35;
    out[threadIdx.x] = v;
}
