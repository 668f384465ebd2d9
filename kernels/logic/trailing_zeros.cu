/*---
description: "Trailing zeros from ffs and from the population count of the bits below the lowest set one."
reference: "Warren, Hacker's Delight, 5-4"
features: [popc.b32, brev.b32, clz.b32]
launches:
  - grid: [1, 1, 1]
    block: [8, 1, 1]
    args:
      - {kind: buf, dtype: uint32, data: [1, 2, 2147483648, 4294967295, 65536, 192, 2147483647, 0]}
      - {kind: buf, dtype: int32, fill: 0, count: 24}
    expect:
      1: [0, 1, 31, 0, 16, 6, 0, -1, 0, 1, 31, 0, 16, 6, 0, 32, 0, 1, 31, 0, 16, 6, 0, 32]
---*/
extern "C" __global__ void trailing_zeros(const unsigned *in, int *out)
{
    unsigned t = threadIdx.x;
    unsigned a = in[t];
    out[t] = __ffs((int)a) - 1;
    out[t + 8] = __popc(~a & (a - 1u));
    out[t + 16] = __clz((int)__brev(a));
}
