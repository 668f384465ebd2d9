/*---
description: "Two threads fill a slot a round, the other six use it; two barriers keep the rounds apart."
reference: "CUDA C++ Programming Guide, Synchronization Functions"
features: [bar.sync in a loop, roles by thread]
tags: [published]
launches:
  - grid: [1, 1, 1]
    block: [8, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [1, 2, 3, 4, 5, 6, 7, 8]}
      - {kind: buf, dtype: int32, fill: -1, count: 8}
      - {kind: i32, value: 4}
    expect:
      1: [0, 0, 1357, 2468, 1357, 2468, 1357, 2468]
---*/
extern "C" __global__ void producer_consumer(const int *in, int *out, int rounds)
{
    __shared__ int box[2];
    int t = threadIdx.x;
    int acc = 0;
    #pragma unroll 1
    for (int k = 0; k < rounds; ++k) {
        if (t < 2)
            box[t] = in[2 * k + t];
        __syncthreads();
        if (t >= 2)
            acc = acc * 10 + box[t & 1];
        __syncthreads();
    }
    out[t] = acc;
}
