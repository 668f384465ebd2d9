/*---
description: "Dot product of 3 elements in a group of four lanes by shuffles; the fourth lane adds nothing."
reference: "CUDA C++ Programming Guide, Warp Shuffle Functions"
features: [shfl.sync.down, mul.lo, guard]
tags: [published, algorithm]
launches:
  - grid: [1, 1, 1]
    block: [4, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [1, 2, 3]}
      - {kind: buf, dtype: int32, data: [4, 5, 6]}
      - {kind: buf, dtype: int32, data: [0]}
      - {kind: i32, value: 3}
    expect:
      2: [32]
---*/
extern "C" __global__ void dot_shuffle(const int *a, const int *b, int *out, int n)
{
    int t = threadIdx.x;
    int v = t < n ? a[t] * b[t] : 0;
    v += __shfl_down_sync(0xfu, v, 2, 4);
    v += __shfl_down_sync(0xfu, v, 1, 4);
    if (t == 0)
        out[0] = v;
}
