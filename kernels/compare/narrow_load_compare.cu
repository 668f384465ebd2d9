/*---
description: "Bytes and half-words are compared right after the load: the load's own extension decides,
  nothing is left over from before."
reference: "PTX ISA, Data Movement and Conversion Instructions: ld"
features: [ld.global.s8, ld.global.u8, ld.global.s16, setp]
covers: [narrow-load-stale-bits]
launches:
  - grid: [1, 1, 1]
    block: [8, 1, 1]
    args:
      - {kind: buf, dtype: int8, data: [0, 127, -128, -1, 5, 1, -2, 64]}
      - {kind: buf, dtype: uint8, data: [0, 127, 128, 255, 5, 1, 254, 64]}
      - {kind: buf, dtype: int16, data: [-1, 127, -129, 255, 4, -32768, 32767, 63]}
      - {kind: buf, dtype: int32, fill: 0, count: 8}
    expect:
      3: [12, 4, 11, 3, 12, 12, 3, 12]
---*/
extern "C" __global__ void narrow_load_compare(const signed char *s, const unsigned char *u, const short *h, int *out)
{
    unsigned t = threadIdx.x;
    int flags = 0;
    if (s[t] < 0)
        flags |= 1;
    if (u[t] > 127)
        flags |= 2;
    if (s[t] == u[t])
        flags |= 4;
    if (h[t] < s[t])
        flags |= 8;
    out[t] = flags;
}
