/*---
description: "warpSize itself."
reference: "CUDA C++ Programming Guide, warpSize"
features: [WARP_SZ, "%warpsize"]
tags: [warp-size]
launches:
  - grid: [1, 1, 1]
    block: [8, 1, 1]
    args:
      - {kind: buf, dtype: int32, fill: 0, count: 8}
    expect:
      0: [320, 320, 320, 320, 320, 320, 320, 320]
    verdict: WARP_SIZE_DEPENDENT
    needs: [warp32]
---*/
extern "C" __global__ void warp32_size(int *out)
{
    out[threadIdx.x] = warpSize * 10 + threadIdx.x / warpSize;
}
