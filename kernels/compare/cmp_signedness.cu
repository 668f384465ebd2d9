/*---
description: "The same words compared as int and as unsigned; a store that only some lanes make leaves the
  other words alone."
reference: "https://github.com/NVIDIA/numba-cuda-mlir/issues/121"
features: [setp.s32, setp.u32, nested if, predicated store]
tags: [bug, published]
covers: [min-max-signedness, predicated-write-liveout]
launches:
  - grid: [1, 1, 1]
    block: [8, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [-1, 1, 5, -5, -2147483648, 2147483647, 0, -3, 1, -1, 5, -6,
          2147483647, -2147483648, -2147483648, -3]}
      - {kind: buf, dtype: int32, data: [0, 0, 0, 0, 0, 0, 0, 0, 777, 777, 777, 777, 777, 777, 777, 777]}
    expect:
      1: [5, 2, 0, 4, 5, 2, 2, 8, 777, 1, 5, 777, 777, 2147483647, 0, -3]
---*/
extern "C" __global__ void cmp_signedness(const int *in, int *out)
{
    unsigned t = threadIdx.x;
    int p = in[t];
    int q = in[t + 8];
    int flags = 0;
    if (p < q)
        flags = 1;
    if ((unsigned)p < (unsigned)q)
        flags |= 2;
    if (p < 0) {
        if ((unsigned)p > (unsigned)q)
            flags |= 4;
        else
            flags |= 8;
    }
    out[t] = flags;
    if (p >= q && (unsigned)p <= (unsigned)q)
        out[t + 8] = p;
}
