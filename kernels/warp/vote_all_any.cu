/*---
description: "All and any over four lanes: none, some and every lane holding the condition."
reference: "CUDA C++ Programming Guide, Warp Vote Functions"
features: [vote.sync.all, vote.sync.any]
covers: [activemask-ballot]
launches:
  - grid: [3, 1, 1]
    block: [4, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [4, -1, 0, 6, -2, -3, -4, -5, 1, 2, 3, 9]}
      - {kind: buf, dtype: int32, fill: 0, count: 12}
    expect:
      1: [10, 10, 10, 10, 1, 1, 1, 1, 110, 110, 110, 110]
---*/
extern "C" __global__ void vote_all_any(const int *in, int *out)
{
    int t = blockIdx.x * 4 + threadIdx.x;
    int all = __all_sync(0xfu, in[t] > 0) != 0;
    int any = __any_sync(0xfu, in[t] > 0) != 0;
    int none = __all_sync(0xfu, in[t] < 0) != 0;
    out[t] = all * 100 + any * 10 + none;
}
