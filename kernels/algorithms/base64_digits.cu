/*---
description: "The four 6-bit digits of three bytes, without a table."
reference: "RFC 4648, 4"
features: [shl, shr, or, and]
tags: [published, algorithm]
launches:
  - grid: [1, 1, 1]
    block: [4, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [0, 255, 170, 77, 97, 110, 255, 255, 255, 1, 2, 3]}
      - {kind: buf, dtype: int32, fill: 0, count: 16}
    expect:
      1: [0, 15, 62, 42, 19, 22, 5, 46, 63, 63, 63, 63, 0, 16, 8, 3]
---*/
extern "C" __global__ void base64_digits(const int *in, int *out)
{
    int t = threadIdx.x;
    unsigned v = (unsigned)in[3 * t] << 16 | (unsigned)in[3 * t + 1] << 8 | (unsigned)in[3 * t + 2];
    for (int k = 0; k < 4; ++k)
        out[4 * t + k] = (v >> (18 - 6 * k)) & 63;
}
