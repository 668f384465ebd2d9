/*---
description: "Each thread of a 3D block stores its three indices."
reference: "CUDA C++ Programming Guide, Thread Hierarchy"
features: [tid.x, tid.y, tid.z, ntid]
tags: [published]
covers: [block-linearisation]
launches:
  - grid: [1, 1, 1]
    block: [2, 3, 2]
    args:
      - {kind: buf, dtype: int32, fill: -1, count: 12}
    expect:
      0: [0, 100, 10, 110, 20, 120, 1, 101, 11, 111, 21, 121]
  - grid: [1, 1, 1]
    block: [1, 3, 4]
    args:
      - {kind: buf, dtype: int32, fill: -1, count: 12}
    expect:
      0: [0, 10, 20, 1, 11, 21, 2, 12, 22, 3, 13, 23]
  - grid: [1, 1, 1]
    block: [3, 1, 3]
    args:
      - {kind: buf, dtype: int32, fill: -1, count: 12}
    expect:
      0: [0, 100, 200, 1, 101, 201, 2, 102, 202, -1, -1, -1]
---*/
extern "C" __global__ void thread_index_3d(int *out)
{
    int at = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    out[at] = threadIdx.x * 100 + threadIdx.y * 10 + threadIdx.z;
}
