/*---
description: "How much shared memory is used and read depends on the block's index."
reference: "CUDA C++ Programming Guide, Shared Memory"
features: [ctaid, shared memory, dynamic index]
tags: [published]
launches:
  - grid: [4, 1, 1]
    block: [4, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [7, -3, 12, 0, 45, -128, 9, 1]}
      - {kind: buf, dtype: int32, fill: 0, count: 16}
    expect:
      1: [7, -3, 12, 0, 0, 90, -256, 18, 27, 3, 7, -3, -3, 12, 0, 180]
---*/
extern "C" __global__ void shared_by_block_index(const int *in, int *out)
{
    __shared__ int slot[8];
    int t = threadIdx.x;
    int b = blockIdx.x;
    slot[t] = in[t];
    slot[t + 4] = in[t + 4] * (b + 1);
    __syncthreads();
    out[b * 4 + t] = slot[(t + b * 3) & 7];
}
