/*---
description: "Three bytes become four base-64 characters."
reference: "RFC 4648, 4"
features: [ld.global.u8, shifts, table in constant memory]
tags: [algorithm]
covers: [address-spaces]
launches:
  - grid: [1, 1, 1]
    block: [6, 1, 1]
    args:
      - {kind: buf, dtype: uint8, data: [77, 97, 110, 32, 97, 110, 100, 32, 109, 97, 99, 104, 105, 110, 101, 33,
          33, 33]}
      - {kind: buf, dtype: int8, fill: 0, count: 24}
    expect:
      1: [84, 87, 70, 117, 73, 71, 70, 117, 90, 67, 66, 116, 89, 87, 78, 111, 97, 87, 53, 108, 73, 83, 69, 104]
---*/
__constant__ char alphabet[65] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

extern "C" __global__ void base64_encode(const unsigned char *in, char *out)
{
    int t = threadIdx.x;
    unsigned v = in[3 * t] << 16 | in[3 * t + 1] << 8 | in[3 * t + 2];
    for (int k = 0; k < 4; ++k)
        out[4 * t + k] = alphabet[(v >> (18 - 6 * k)) & 63];
}
