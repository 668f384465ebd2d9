/*---
description: "Atomic minimum and maximum of signed values."
reference: "https://github.com/NVIDIA/libcudacxx/issues/279"
features: [atom.global.min.s32, atom.global.max.s32]
tags: [bug]
covers: [atomic-kinds, min-max-signedness]
launches:
  - grid: [1, 1, 1]
    block: [8, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [5, -7, 2147483647, -2147483648, 0, -1, 100, 3]}
      - {kind: buf, dtype: int32, data: [0, 0, 50, 50]}
    expect:
      1: [-2147483648, 2147483647, -1, 100]
---*/
extern "C" __global__ void min_max_signed(const int *in, int *out)
{
    int t = threadIdx.x;
    int part = t >> 2;
    atomicMin(&out[part * 2], in[t]);
    atomicMax(&out[part * 2 + 1], in[t]);
}
