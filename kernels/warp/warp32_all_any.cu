/*---
description: "Votes over eight threads differ from votes over each four."
reference: "CUDA C++ Programming Guide, Warp Vote Functions"
features: [vote.sync.all, vote.sync.any]
tags: [warp-size]
launches:
  - grid: [1, 1, 1]
    block: [8, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [7, -3, 12, 0, 45, -12, 9, 1]}
      - {kind: buf, dtype: int32, fill: 0, count: 8}
    expect:
      1: [1, 1, 1, 1, 1, 1, 1, 1]
    verdict: WARP_SIZE_DEPENDENT
    needs: [warp32]
---*/
extern "C" __global__ void warp32_all_any(const int *in, int *out)
{
    int t = threadIdx.x;
    int all = __all_sync(0xffffffffu, in[t] > -5) != 0;
    int any = __any_sync(0xffffffffu, in[t] > 40) != 0;
    out[t] = all * 10 + any;
}
