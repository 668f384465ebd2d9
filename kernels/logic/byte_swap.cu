/*---
description: "Byte reversal of words, halves and within halves."
reference: "Warren, Hacker's Delight, 7-1"
features: [shl.b32, shr.u32, prmt.b32]
tags: [published]
launches:
  - grid: [1, 1, 1]
    block: [6, 1, 1]
    args:
      - {kind: buf, dtype: uint32, data: [0, 305419896, 2147483648, 1, 4294967295, 16711935]}
      - {kind: buf, dtype: uint32, fill: 0, count: 18}
    expect:
      1: [0, 2018915346, 128, 16777216, 4294967295, 4278255360, 0, 873625686, 8388608, 256, 4294967295,
        4278255360, 0, 1450709556, 32768, 65536, 4294967295, 16711935]
---*/
extern "C" __global__ void byte_swap(const unsigned *in, unsigned *out)
{
    unsigned t = threadIdx.x;
    unsigned a = in[t];
    out[t] = (a >> 24) | ((a >> 8) & 0xff00u) | ((a & 0xff00u) << 8) | (a << 24);
    out[t + 6] = ((a & 0x00ff00ffu) << 8) | ((a >> 8) & 0x00ff00ffu);
    out[t + 12] = (a << 16) | (a >> 16);
}
