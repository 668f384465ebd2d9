/*---
description: "The same bits as unsigned values have other extremes."
reference: "CUDA C++ Programming Guide, Atomic Functions"
features: [atom.global.min.u32, atom.global.max.u32]
covers: [atomic-kinds, min-max-signedness]
launches:
  - grid: [1, 1, 1]
    block: [8, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [5, -7, 2147483647, -2147483648, 0, -1, 100, 3]}
      - {kind: buf, dtype: uint32, data: [10, 10, 50, 50]}
    expect:
      1: [5, 4294967289, 0, 4294967295]
---*/
extern "C" __global__ void min_max_unsigned(const int *in, unsigned *out)
{
    int t = threadIdx.x;
    int part = t >> 2;
    atomicMin(&out[part * 2], (unsigned)in[t]);
    atomicMax(&out[part * 2 + 1], (unsigned)in[t]);
}
