/*---
description: "Value and index packed in one word, so that one atomic maximum finds both; ties go to the lower
  index."
reference: "CUDA C++ Programming Guide, Atomic Functions"
features: [atom.global.max.u32, shl, or]
tags: [algorithm]
launches:
  - grid: [3, 1, 1]
    block: [4, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [4, 90, 17, 3, 250, 6, 250, 1, 0, 250, 30, 251]}
      - {kind: buf, dtype: uint32, data: [0]}
      - {kind: i32, value: 11}
    expect:
      1: [64251]
---*/
extern "C" __global__ void argmax_packed_key(const int *in, unsigned *best, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        atomicMax(best, ((unsigned)in[i] << 8) | (unsigned)(255 - i));
}
