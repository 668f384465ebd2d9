/*---
description: "Dot product of a longer vector: shuffles in groups of four, then one atomic addition a group."
reference: "CUDA C++ Programming Guide, Warp Shuffle Functions"
features: [shfl.sync.bfly, atom.global.add, several blocks, ragged tail]
tags: [published, algorithm]
launches:
  - grid: [2, 1, 1]
    block: [8, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3]}
      - {kind: buf, dtype: int32, range: [5, 16, -1]}
      - {kind: buf, dtype: int32, data: [0]}
      - {kind: i32, value: 14}
    expect:
      2: [-195]
---*/
extern "C" __global__ void dot_many_blocks(const int *a, const int *b, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int v = i < n ? a[i] * b[i] : 0;
    v += __shfl_xor_sync(0xffffffffu, v, 1, 4);
    v += __shfl_xor_sync(0xffffffffu, v, 2, 4);
    if ((threadIdx.x & 3) == 0)
        atomicAdd(out, v);
}
