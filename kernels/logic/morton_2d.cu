/*---
description: "Two 16-bit coordinates interleaved into one Morton code."
reference: "Warren, Hacker's Delight, 7-2"
features: [shl.b32, and.b32, or.b32]
tags: [published]
launches:
  - grid: [1, 1, 1]
    block: [6, 1, 1]
    args:
      - {kind: buf, dtype: uint32, data: [0, 65535, 0, 1, 4660, 32768, 0, 0, 65535, 2, 43981, 32768]}
      - {kind: buf, dtype: uint32, fill: 0, count: 6}
    expect:
      1: [0, 1431655765, 2863311530, 9, 2307827122, 3221225472]
---*/
extern "C" __global__ void morton_2d(const unsigned *in, unsigned *out)
{
    unsigned t = threadIdx.x;
    unsigned x = in[t];
    unsigned y = in[t + 6];
    x = (x | (x << 8)) & 0x00ff00ffu;
    x = (x | (x << 4)) & 0x0f0f0f0fu;
    x = (x | (x << 2)) & 0x33333333u;
    x = (x | (x << 1)) & 0x55555555u;
    y = (y | (y << 8)) & 0x00ff00ffu;
    y = (y | (y << 4)) & 0x0f0f0f0fu;
    y = (y | (y << 2)) & 0x33333333u;
    y = (y | (y << 1)) & 0x55555555u;
    out[t] = x | (y << 1);
}
