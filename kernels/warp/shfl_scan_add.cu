/*---
description: "Inclusive prefix sums of groups of four by two steps up."
reference: "CUDA C++ Programming Guide, Warp Shuffle Functions"
features: [shfl.sync.up, predicated add]
tags: [published, algorithm]
launches:
  - grid: [1, 1, 1]
    block: [8, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [7, -3, 12, 0, 45, -128, 9, 1]}
      - {kind: buf, dtype: int32, fill: 0, count: 8}
    expect:
      1: [7, 4, 16, 16, 45, -83, -74, -73]
---*/
extern "C" __global__ void shfl_scan_add(const int *in, int *out)
{
    int t = threadIdx.x;
    int lane = t & 3;
    int v = in[t];
    for (int d = 1; d < 4; d <<= 1) {
        int left = __shfl_up_sync(0xffffffffu, v, d, 4);
        if (lane >= d)
            v += left;
    }
    out[t] = v;
}
