/*---
description: "A byte load extends by the type it is loaded as: the same eight bytes as signed and unsigned."
reference: "PTX ISA, Data Movement: ld"
features: [ld.global.s8, ld.global.u8, cvt]
covers: [narrow-load-stale-bits]
launches:
  - grid: [1, 1, 1]
    block: [8, 1, 1]
    args:
      - {kind: buf, dtype: int8, data: [0, 1, 127, -128, -1, -56, 64, -127]}
      - {kind: buf, dtype: int32, fill: 0, count: 24}
    expect:
      1: [0, 1, 127, -128, -1, -56, 64, -127, 0, 1, 127, 128, 255, 200, 64, 129, 0, 0, 0, -256, -256, -256, 0,
          -256]
---*/
extern "C" __global__ void byte_loads(const signed char *in, int *out)
{
    int t = threadIdx.x;
    const unsigned char *raw = (const unsigned char *)in;
    out[t] = in[t];
    out[t + 8] = raw[t];
    out[t + 16] = in[t] - raw[t];
}
