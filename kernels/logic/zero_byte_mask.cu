/*---
description: "The classic test for a zero byte: the mask is non-zero exactly if some byte is zero."
reference: "Warren, Hacker's Delight, 6-1"
features: [sub.s32, and.b32, not.b32]
tags: [published]
launches:
  - grid: [1, 1, 1]
    block: [8, 1, 1]
    args:
      - {kind: buf, dtype: uint32, data: [0, 4294967295, 16843009, 2155905152, 16777215, 285221427,
          2139062143, 4278255361]}
      - {kind: buf, dtype: uint32, fill: 0, count: 16}
    expect:
      1: [1, 0, 0, 0, 1, 1, 0, 1, 2155905152, 0, 0, 0, 2147483648, 8388608, 0, 8388608]
---*/
extern "C" __global__ void zero_byte_mask(const unsigned *in, unsigned *out)
{
    unsigned t = threadIdx.x;
    unsigned a = in[t];
    out[t] = ((a - 0x01010101u) & ~a & 0x80808080u) != 0 ? 1u : 0u;
    out[t + 8] = ~(((a & 0x7f7f7f7fu) + 0x7f7f7f7fu) | a | 0x7f7f7f7fu);
}
