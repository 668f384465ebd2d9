/*---
description: "Rotation left and right, count 0 and 31 included, in the form compilers recognise."
reference: "Warren, Hacker's Delight, 2-15"
features: [shf.l.wrap.b32, shl.b32, shr.u32]
tags: [published]
covers: [funnel-shift]
launches:
  - grid: [1, 1, 1]
    block: [6, 1, 1]
    args:
      - {kind: buf, dtype: uint32, data: [1, 2147483649, 3735928559, 2147483648, 4294967295, 305419896, 0, 1,
          31, 4, 13, 16]}
      - {kind: buf, dtype: uint32, fill: 0, count: 12}
    expect:
      1: [1, 3, 4015447927, 8, 4294967295, 1450709556, 1, 3221225472, 3176889823, 134217728, 4294967295,
        1450709556]
---*/
extern "C" __global__ void rotate(const unsigned *in, unsigned *out)
{
    unsigned t = threadIdx.x;
    unsigned a = in[t];
    unsigned n = in[t + 6];
    out[t] = (a << (n & 31u)) | (a >> (-n & 31u));
    out[t + 6] = (a >> (n & 31u)) | (a << (-n & 31u));
}
