/*---
description: "16-bit values are cut back to 16 bits before they are widened or compared."
reference: "https://github.com/llvm/llvm-project/issues/160482"
features: [cvt.s16/u16, 16-bit registers, sign extension]
tags: [bug, published]
covers: [narrow-load-stale-bits, int-min-abs-neg]
launches:
  - grid: [1, 1, 1]
    block: [8, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [32767, -32768, -32768, 100, -1, 30000, 65535, 4681, 1, -1, 0, -200,
          1, 30000, 65535, -4681]}
      - {kind: buf, dtype: int32, fill: 0, count: 32}
    expect:
      1: [-32768, 32767, -32768, -100, 0, -5536, -2, 0, -32767, -32768, -32768, -100, 1, -30000, 1, -4681,
        32760, 32769, 32769, 901, 65528, 7857, 65528, 42130, 0, 0, 0, 0, 1, 0, 1, 0]
---*/
extern "C" __global__ void short_wrap(const int *in, int *out)
{
    unsigned t = threadIdx.x;
    short p = (short)in[t];
    short q = (short)in[t + 8];
    short sum = (short)(p + q);
    short neg = (short)(-p);
    unsigned short mix = (unsigned short)(p * 9 + 1);
    out[t] = sum;
    out[t + 8] = neg;
    out[t + 16] = mix;
    out[t + 24] = neg > 0;
}
