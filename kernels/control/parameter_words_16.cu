/*---
description: "Two pointers and twelve ints: sixteen parameter words, each used once."
reference: "CUDA C++ Programming Guide, Execution Configuration"
features: [ld.param]
tags: [published]
launches:
  - grid: [1, 1, 1]
    block: [4, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [0, 1, -1, 12345]}
      - {kind: buf, dtype: int32, fill: 0, count: 4}
      - {kind: i32, value: 5}
      - {kind: i32, value: 17}
      - {kind: i32, value: -3}
      - {kind: i32, value: 100}
      - {kind: i32, value: 1048575}
      - {kind: i32, value: 3}
      - {kind: i32, value: 85}
      - {kind: i32, value: -9}
      - {kind: i32, value: 77}
      - {kind: i32, value: 1000}
      - {kind: i32, value: -1}
      - {kind: i32, value: 42}
    expect:
      1: [-1047411, -1047411, -1047519, -1035083]
---*/
extern "C" __global__ void parameter_words_16(const int *in, int *out, int a, int b, int c, int d, int e, int f,
                                              int g, int h, int i, int j, int k, int m)
{
    int v = in[threadIdx.x];
    v = (v ^ a) + b;
    v = (v ^ c) - d;
    v = (v & e) | f;
    v = (v ^ g) + h;
    v = (v ^ i) - j;
    v = (v ^ k) + m;
    out[threadIdx.x] = v;
}
