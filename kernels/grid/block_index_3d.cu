/*---
description: "Each block of a 3D grid stores its three indices."
reference: "CUDA C++ Programming Guide, Thread Hierarchy"
features: [ctaid.x, ctaid.y, ctaid.z, nctaid]
tags: [published]
covers: [block-linearisation]
launches:
  - grid: [2, 3, 2]
    block: [1, 1, 1]
    args:
      - {kind: buf, dtype: int32, fill: -1, count: 12}
    expect:
      0: [0, 100, 10, 110, 20, 120, 1, 101, 11, 111, 21, 121]
  - grid: [3, 1, 4]
    block: [1, 1, 1]
    args:
      - {kind: buf, dtype: int32, fill: -1, count: 12}
    expect:
      0: [0, 100, 200, 1, 101, 201, 2, 102, 202, 3, 103, 203]
  - grid: [1, 5, 1]
    block: [1, 1, 1]
    args:
      - {kind: buf, dtype: int32, fill: -1, count: 12}
    expect:
      0: [0, 10, 20, 30, 40, -1, -1, -1, -1, -1, -1, -1]
---*/
extern "C" __global__ void block_index_3d(int *out)
{
    int at = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    out[at] = blockIdx.x * 100 + blockIdx.y * 10 + blockIdx.z;
}
