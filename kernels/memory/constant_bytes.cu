/*---
description: "Byte and half-word tables in constant memory extend by their own type."
reference: "CUDA C++ Programming Guide, __constant__"
features: [ld.const.s8, ld.const.u16]
covers: [narrow-load-stale-bits, address-spaces]
launches:
  - grid: [1, 1, 1]
    block: [6, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [5, 4, 3, 2, 1, 0]}
      - {kind: buf, dtype: int32, fill: 0, count: 6}
    expect:
      1: [65727, 33149, 4, 0, 39997, -129]
---*/
__constant__ signed char small[6] = {-128, -1, 0, 1, 127, 64};
__constant__ unsigned short wide[6] = {65535, 32768, 1, 0, 40000, 255};

extern "C" __global__ void constant_bytes(const int *in, int *out)
{
    int t = threadIdx.x;
    int k = in[t];
    out[t] = small[k] * 3 + wide[5 - k];
}
