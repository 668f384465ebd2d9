/*---
description: "Source lanes outside the segment wrap inside it; segments of four and of two."
reference: "https://github.com/ROCm/hip/issues/3213"
features: [shfl.sync.idx, width 4, width 2]
tags: [published, bug]
covers: [shfl-width-segment]
launches:
  - grid: [1, 1, 1]
    block: [8, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [10, 21, 32, 43, 54, 65, 76, 87]}
      - {kind: buf, dtype: int32, fill: 0, count: 24}
    expect:
      1: [21, 32, 43, 10, 65, 76, 87, 54, 43, 32, 21, 10, 87, 76, 65, 54, 21, 10, 43, 32, 65, 54, 87, 76]
---*/
extern "C" __global__ void shfl_index_wrap(const int *in, int *out)
{
    int t = (int)threadIdx.x;
    int v = in[t];
    out[t] = __shfl_sync(0xffffffffu, v, t + 5, 4);
    out[t + 8] = __shfl_sync(0xffffffffu, v, 3 - (t & 3), 4);
    out[t + 16] = __shfl_sync(0xffffffffu, v, t + 1, 2);
}
