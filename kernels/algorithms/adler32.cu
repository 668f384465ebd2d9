/*---
description: "Adler-32 of a message kept one byte a word."
reference: "RFC 1950, 8.2"
features: [add, conditional subtraction, shl, or]
tags: [published, algorithm]
launches:
  - grid: [1, 1, 1]
    block: [1, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [87, 105, 107, 105, 112, 101, 100, 105, 97]}
      - {kind: buf, dtype: uint32, data: [0]}
      - {kind: i32, value: 9}
    expect:
      1: [300286872]
  - grid: [1, 1, 1]
    block: [1, 1, 1]
    args:
      - {kind: buf, dtype: int32, fill: 255, count: 40}
      - {kind: buf, dtype: uint32, data: [0]}
      - {kind: i32, value: 40}
    expect:
      1: [824256473]
---*/
extern "C" __global__ void adler32(const int *in, unsigned *out, int n)
{
    unsigned a = 1, b = 0;
    for (int k = 0; k < n; ++k) {
        a += (unsigned)in[k];
        if (a >= 65521)
            a -= 65521;
        b += a;
        if (b >= 65521)
            b -= 65521;
    }
    out[0] = b << 16 | a;
}
