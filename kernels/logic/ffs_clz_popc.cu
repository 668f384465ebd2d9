/*---
description: "Find-first-set, leading zeros and population count at their edges, zero included."
reference: "https://github.com/numba/numba/issues/6919"
features: [popc, clz, ffs (brev + bfind or clz)]
tags: [bug]
covers: [clz-popc-64]
launches:
  - grid: [1, 1, 1]
    block: [8, 1, 1]
    args:
      - {kind: buf, dtype: uint32, data: [0, 1, 2147483648, 4294967295, 65536, 2147483647, 6, 252645135]}
      - {kind: buf, dtype: int32, fill: -1, count: 24}
    expect:
      1: [0, 1, 32, 1, 17, 1, 2, 1, 32, 31, 0, 0, 15, 1, 29, 4, 0, 1, 1, 32, 1, 31, 2, 16]
---*/
extern "C" __global__ void ffs_clz_popc(const unsigned *in, int *out)
{
    unsigned t = threadIdx.x;
    unsigned v = in[t];
    out[t] = __ffs((int)v);
    out[t + 8] = __clz((int)v);
    out[t + 16] = __popc(v);
}
