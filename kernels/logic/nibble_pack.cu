/*---
description: "Eight nibbles of a word reversed one by one in a loop."
reference: "ISO C++17, [expr.shift]"
features: [shl.b32, shr.u32, or.b32, loop]
tags: [published]
launches:
  - grid: [1, 1, 1]
    block: [4, 1, 1]
    args:
      - {kind: buf, dtype: uint32, data: [0, 305419896, 4026531840, 4294967295]}
      - {kind: buf, dtype: uint32, fill: 0, count: 4}
    expect:
      1: [0, 2271560481, 15, 4294967295]
---*/
extern "C" __global__ void nibble_pack(const unsigned *in, unsigned *out)
{
    unsigned t = threadIdx.x;
    unsigned a = in[t];
    unsigned r = 0;
    #pragma unroll 1
    for (int i = 0; i < 8; ++i) {
        r = (r << 4) | (a & 15u);
        a >>= 4;
    }
    out[t] = r;
}
