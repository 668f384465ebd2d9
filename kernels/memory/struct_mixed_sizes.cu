/*---
description: "A struct of a byte, a half and a word has the half at offset 2 and the word at 4."
reference: "CUDA C++ Programming Guide, Device Memory Accesses"
features: [ld.global.s8, ld.global.s16, struct padding]
covers: [narrow-load-stale-bits]
launches:
  - grid: [1, 1, 1]
    block: [4, 1, 1]
    args:
      - {kind: buf, dtype: uint8, data: [251, 0, 44, 1, 112, 17, 1, 0, 127, 0, 212, 254, 144, 238, 254, 255,
          128, 0, 255, 127, 1, 0, 0, 0, 0, 0, 0, 128, 0, 0, 0, 128]}
      - {kind: buf, dtype: int32, fill: 0, count: 12}
    expect:
      1: [-5, 300, 70000, 127, -300, -70000, -128, 32767, 1, 0, -32768, -2147483648]
---*/
struct Record {
    signed char kind;
    short size;
    int value;
};

extern "C" __global__ void struct_mixed_sizes(const Record *in, int *out)
{
    int t = threadIdx.x;
    out[3 * t] = in[t].kind;
    out[3 * t + 1] = in[t].size;
    out[3 * t + 2] = in[t].value;
}
