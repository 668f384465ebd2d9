/*---
description: "(a + b) mod m for residues whose sum does not fit 32 bits."
reference: "Knuth, TAOCP vol. 2, 4.3.2"
features: [sub.s32, setp.ge.u32, selp]
tags: [published]
launches:
  - grid: [1, 1, 1]
    block: [4, 1, 1]
    args:
      - {kind: buf, dtype: uint32, data: [0, 4294967290, 5, 4294967290, 0, 4294967290, 4294967286, 1, 1,
          4294967291, 4294967291, 4294967291]}
      - {kind: buf, dtype: uint32, fill: 0, count: 4}
    expect:
      1: [0, 4294967289, 0, 0]
---*/
extern "C" __global__ void mod_add_without_overflow(const unsigned *in, unsigned *out)
{
    unsigned t = threadIdx.x;
    unsigned a = in[t];
    unsigned b = in[t + 4];
    unsigned m = in[t + 8];
    out[t] = a >= m - b ? a - (m - b) : a + b;
}
