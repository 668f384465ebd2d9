/*---
description: "Arithmetic on signed char promotes to int and is cut back to 8 bits only by the conversion."
reference: "ISO C++17, [conv.prom]"
features: [cvt.s8, cvt.s32.s8]
tags: [published]
covers: [narrow-load-stale-bits]
launches:
  - grid: [1, 1, 1]
    block: [8, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [127, -128, 255, 100, 128, -1, 0, 4660, 1, -1, 1, 100, 128, -128, 5,
          127]}
      - {kind: buf, dtype: int32, fill: 0, count: 32}
    expect:
      1: [-128, 127, 0, -56, 0, 127, 5, -77, 128, -129, 0, 200, -256, -129, 5, 179, 127, -128, -1, 16, 0,
        -128, 0, -52, 126, 129, 254, 0, 0, 127, 251, 181]
---*/
extern "C" __global__ void char_wrap(const int *in, int *out)
{
    unsigned t = threadIdx.x;
    int a = in[t];
    int b = in[t + 8];
    signed char p = (signed char)a;
    signed char q = (signed char)b;
    out[t] = (signed char)(p + q);
    out[t + 8] = p + q;
    out[t + 16] = (signed char)(p * q);
    out[t + 24] = (unsigned char)(p - q);
}
