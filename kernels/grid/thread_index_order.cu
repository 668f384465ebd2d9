/*---
description: "Threads are numbered x fastest, z slowest: shuffles within four lanes show who the neighbour is."
reference: "CUDA C++ Programming Guide, Thread Hierarchy"
features: [tid.z, shfl.sync.bfly, 3D block]
tags: [published]
covers: [block-linearisation]
launches:
  - grid: [1, 1, 1]
    block: [2, 2, 2]
    args:
      - {kind: buf, dtype: int32, fill: 0, count: 8}
    expect:
      0: [100010, 110, 110000, 10100, 101011, 1111, 111001, 11101]
  - grid: [1, 1, 1]
    block: [1, 4, 2]
    args:
      - {kind: buf, dtype: int32, fill: 0, count: 8}
    expect:
      0: [10020, 30, 30000, 20010, 11021, 1031, 31001, 21011]
  - grid: [1, 1, 1]
    block: [1, 1, 8]
    args:
      - {kind: buf, dtype: int32, fill: 0, count: 8}
    expect:
      0: [1002, 3, 3000, 2001, 5006, 4007, 7004, 6005]
---*/
extern "C" __global__ void thread_index_order(int *out)
{
    int me = threadIdx.x * 100 + threadIdx.y * 10 + threadIdx.z;
    int at = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    out[at] = __shfl_xor_sync(0xffffffffu, me, 1, 4) * 1000 + __shfl_xor_sync(0xffffffffu, me, 2, 4);
}
