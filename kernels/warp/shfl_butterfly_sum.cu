/*---
description: "After two exchange steps every lane of four holds the sum."
reference: "CUDA C++ Programming Guide, Warp Shuffle Functions"
features: [shfl.sync.bfly, add]
tags: [published, algorithm]
launches:
  - grid: [1, 1, 1]
    block: [8, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [7, -3, 12, 0, 45, -128, 9, 1]}
      - {kind: buf, dtype: int32, fill: 0, count: 8}
    expect:
      1: [16, 16, 16, 16, -73, -73, -73, -73]
---*/
extern "C" __global__ void shfl_butterfly_sum(const int *in, int *out)
{
    int t = threadIdx.x;
    int v = in[t];
    for (int lanes = 1; lanes < 4; lanes <<= 1)
        v += __shfl_xor_sync(0xffffffffu, v, lanes, 4);
    out[t] = v;
}
