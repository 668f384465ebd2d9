/*---
description: "Unsigned shorts multiply as 32-bit values: no bit of the product is lost, and the square of
  0xffff fits."
reference: "ISO C++17, [conv.prom]"
features: [mul.wide.u16, cvt.u32.u16]
tags: [published]
covers: [narrow-load-stale-bits, mul-hi-wide]
launches:
  - grid: [1, 1, 1]
    block: [6, 1, 1]
    args:
      - {kind: buf, dtype: uint32, data: [65535, 32768, 65538, 0, 131071, 32767, 65535, 32768, 131075, 65535,
          2, 32767]}
      - {kind: buf, dtype: uint32, fill: 0, count: 18}
    expect:
      1: [4294836225, 1073741824, 6, 0, 131070, 1073676289, 1, 0, 6, 0, 65534, 1, 0, 0, 65535, 1, 65533, 0]
---*/
extern "C" __global__ void ushort_product(const unsigned *in, unsigned *out)
{
    unsigned t = threadIdx.x;
    unsigned a = in[t];
    unsigned b = in[t + 6];
    unsigned short p = (unsigned short)a;
    unsigned short q = (unsigned short)b;
    out[t] = (unsigned)p * q;
    out[t + 6] = (unsigned short)((unsigned)p * q);
    out[t + 12] = (unsigned short)(p - q);
}
