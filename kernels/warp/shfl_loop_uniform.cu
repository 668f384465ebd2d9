/*---
description: "A shuffle in a loop whose trip count is the same in all lanes: values walk around the ring of
  four."
reference: "CUDA C++ Programming Guide, Warp Shuffle Functions"
features: [shfl.sync.idx in a loop]
tags: [published]
launches:
  - grid: [1, 1, 1]
    block: [8, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [7, -3, 12, 0, 45, -128, 9, 1]}
      - {kind: buf, dtype: int32, fill: 0, count: 8}
      - {kind: i32, value: 5}
    expect:
      1: [601, 99, 1038, 198, 318, -10109, 786, 172]
---*/
extern "C" __global__ void shfl_loop_uniform(const int *in, int *out, int rounds)
{
    int t = threadIdx.x;
    int v = in[t];
    int acc = 0;
    for (int k = 0; k < rounds; ++k) {
        acc = acc * 3 + v;
        v = __shfl_sync(0xffffffffu, v, t + 1, 4);
    }
    out[t] = acc;
}
