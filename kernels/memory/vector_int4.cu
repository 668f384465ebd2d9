/*---
description: "A 16-byte load gives its four elements in address order."
reference: "CUDA C++ Programming Guide, Built-in Vector Types"
features: [ld.global.v4.u32, st.global.v4.u32]
launches:
  - grid: [1, 1, 1]
    block: [4, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26], align:
          16}
      - {kind: buf, dtype: int32, fill: 0, count: 16, align: 16}
    expect:
      1: [26, 48, 48, 23, 22, 40, 40, 19, 18, 32, 32, 15, 14, 24, 24, 11]
---*/
extern "C" __global__ void vector_int4(const int4 *in, int4 *out)
{
    int t = threadIdx.x;
    int4 v = in[t];
    out[3 - t] = make_int4(v.w, v.z + v.x, v.y * 2, v.x);
}
