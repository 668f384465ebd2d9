/*---
description: "The last block is known by the ticket; partial sums are kept in one atomic cell."
reference: "CUDA C++ Programming Guide, Memory Fence Functions"
features: [membar.gl, atom.global.add old value]
tags: [published]
covers: [memory-order, atomic-old-value]
launches:
  - grid: [8, 1, 1]
    block: [1, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [7, -3, 12, 0, 45, -128, 9, 1]}
      - {kind: buf, dtype: int32, data: [0]}
      - {kind: buf, dtype: int32, data: [0]}
      - {kind: buf, dtype: int32, data: [-1]}
    expect:
      1: [-57]
      2: [8]
      3: [-114]
---*/
extern "C" __global__ void last_block_atomic_only(const int *in, int *sum, int *done, int *out)
{
    atomicAdd(sum, in[blockIdx.x]);
    __threadfence();
    int ticket = atomicAdd(done, 1);
    if (ticket == (int)gridDim.x - 1)
        out[0] = atomicAdd(sum, 0) * 2;
}
