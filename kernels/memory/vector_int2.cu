/*---
description: "8-byte loads at a stride: one element of each pair is used, the pair is stored swapped."
reference: "CUDA C++ Programming Guide, Built-in Vector Types"
features: [ld.global.v2.u32, st.global.v2.u32]
launches:
  - grid: [1, 1, 1]
    block: [4, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26], align:
          8}
      - {kind: buf, dtype: int32, fill: 0, count: 8, align: 8}
      - {kind: buf, dtype: int32, fill: 0, count: 4}
    expect:
      1: [12, 11, 16, 15, 20, 19, 24, 23]
      2: [13, 17, 21, 25]
---*/
extern "C" __global__ void vector_int2(const int2 *in, int2 *out, int *first)
{
    int t = threadIdx.x;
    int2 v = in[2 * t];
    out[t] = make_int2(v.y, v.x);
    first[t] = in[2 * t + 1].x;
}
