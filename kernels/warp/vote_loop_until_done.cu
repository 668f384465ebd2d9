/*---
description: "A loop goes on while any of four lanes has work left; lanes that are done stay in it."
reference: "CUDA C++ Programming Guide, Warp Vote Functions"
features: [vote.sync.any in a loop]
launches:
  - grid: [1, 1, 1]
    block: [4, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [3, 0, 5, 1]}
      - {kind: buf, dtype: int32, fill: 0, count: 4}
    expect:
      1: [502, 505, 500, 504]
---*/
extern "C" __global__ void vote_loop_until_done(const int *in, int *out)
{
    int t = threadIdx.x;
    int left = in[t];
    int rounds = 0, idle = 0;
    while (__any_sync(0xfu, left > 0)) {
        if (left > 0)
            --left;
        else
            ++idle;
        ++rounds;
    }
    out[t] = rounds * 100 + idle;
}
