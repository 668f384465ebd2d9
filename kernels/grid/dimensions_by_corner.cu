/*---
description: "The last thread of the last block stores the shape of the launch."
reference: "CUDA C++ Programming Guide, Thread Hierarchy"
features: [nctaid, ntid, tid, ctaid]
tags: [published]
launches:
  - grid: [2, 1, 3]
    block: [2, 2, 1]
    args:
      - {kind: buf, dtype: int32, data: [0, 0]}
    expect:
      0: [213, 221]
  - grid: [1, 4, 1]
    block: [1, 3, 4]
    args:
      - {kind: buf, dtype: int32, data: [0, 0]}
    expect:
      0: [141, 134]
---*/
extern "C" __global__ void dimensions_by_corner(int *out)
{
    bool last_thread =
        threadIdx.x + 1 == blockDim.x && threadIdx.y + 1 == blockDim.y && threadIdx.z + 1 == blockDim.z;
    bool last_block =
        blockIdx.x + 1 == gridDim.x && blockIdx.y + 1 == gridDim.y && blockIdx.z + 1 == gridDim.z;
    if (last_thread && last_block) {
        out[0] = gridDim.x * 100 + gridDim.y * 10 + gridDim.z;
        out[1] = blockDim.x * 100 + blockDim.y * 10 + blockDim.z;
    }
}
