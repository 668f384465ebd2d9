/*---
description: "Four byte counters in one word: an addition of 1 << 8k counts bin k."
reference: "CUDA C++ Programming Guide, Atomic Functions"
features: [atom.shared.add, shl, bit fields]
tags: [published]
launches:
  - grid: [1, 1, 1]
    block: [12, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [3, 1, 3, 0, 7, 2, 3, 1, 1, 6, 5, 3]}
      - {kind: buf, dtype: int32, fill: 0, count: 4}
    expect:
      1: [1, 4, 2, 5]
---*/
extern "C" __global__ void packed_byte_counters(const int *in, int *bins)
{
    __shared__ unsigned packed;
    int t = threadIdx.x;
    if (t == 0)
        packed = 0;
    __syncthreads();
    atomicAdd(&packed, 1u << ((in[t] & 3) * 8));
    __syncthreads();
    if (t < 4)
        bins[t] = (packed >> (t * 8)) & 255;
}
