/*---
description: "16-bit loads as signed and as unsigned numbers."
reference: "PTX ISA, Data Movement: ld"
features: [ld.global.s16, ld.global.u16]
covers: [narrow-load-stale-bits]
launches:
  - grid: [1, 1, 1]
    block: [8, 1, 1]
    args:
      - {kind: buf, dtype: int16, data: [0, 1, 32767, -32768, -1, -25536, 255, -256]}
      - {kind: buf, dtype: int32, fill: 0, count: 24}
    expect:
      1: [0, 1, 32767, -32768, -1, -25536, 255, -256, 0, 1, 32767, 32768, 65535, 40000, 255, 65280, 0, 0, 127,
          1, 1, 1, 0, 1]
---*/
extern "C" __global__ void half_loads(const short *in, int *out)
{
    int t = threadIdx.x;
    const unsigned short *raw = (const unsigned short *)in;
    out[t] = in[t];
    out[t + 8] = raw[t];
    out[t + 16] = in[t] < 0 ? 1 : raw[t] >> 8;
}
