/*---
description: "A left and an arithmetic right shift sign-extend a field of 1, 8, 16 and 31 bits."
reference: "Warren, Hacker's Delight, 2-6"
features: [shl.b32, shr.s32, cvt.s32.s8]
tags: [published]
launches:
  - grid: [1, 1, 1]
    block: [8, 1, 1]
    args:
      - {kind: buf, dtype: uint32, data: [0, 1, 128, 127, 32768, 4294967167, 1073741824, 4294967295]}
      - {kind: buf, dtype: int32, fill: 0, count: 32}
    expect:
      1: [0, -1, 0, -1, 0, -1, 0, -1, 0, 1, -128, 127, 0, 127, 0, -1, 0, 1, 128, 127, -32768, -129, 0, -1, 0,
        1, 128, 127, 32768, -129, -1073741824, -1]
---*/
extern "C" __global__ void sign_extend_by_shifts(const unsigned *in, int *out)
{
    unsigned t = threadIdx.x;
    unsigned a = in[t];
    out[t] = (int)(a << 31) >> 31;
    out[t + 8] = (int)(a << 24) >> 24;
    out[t + 16] = (int)(a << 16) >> 16;
    out[t + 24] = (int)(a << 1) >> 1;
}
