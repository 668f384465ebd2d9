/*---
description: "gridDim and blockDim in all three directions."
reference: "CUDA C++ Programming Guide, Thread Hierarchy"
features: [nctaid.x, ntid.y, ntid.z]
tags: [published]
launches:
  - grid: [1, 1, 1]
    block: [1, 1, 1]
    args:
      - {kind: buf, dtype: int32, fill: 0, count: 6}
    expect:
      0: [1, 1, 1, 1, 1, 1]
  - grid: [1, 1, 1]
    block: [1, 1, 1]
    args:
      - {kind: buf, dtype: int32, fill: 9, count: 7}
    expect:
      0: [1, 1, 1, 1, 1, 1, 9]
---*/
extern "C" __global__ void dimensions(int *out)
{
    out[0] = gridDim.x;
    out[1] = gridDim.y;
    out[2] = gridDim.z;
    out[3] = blockDim.x;
    out[4] = blockDim.y;
    out[5] = blockDim.z;
}
