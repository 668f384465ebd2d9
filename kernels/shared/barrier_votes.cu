/*---
description: "The counting barriers: how many, whether all, whether any thread of the block holds the
  condition."
reference: "CUDA C++ Programming Guide, Synchronization Functions"
features: [barrier.red.popc, barrier.red.and, barrier.red.or]
launches:
  - grid: [3, 1, 1]
    block: [8, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [1, 2, 3, 4, 5, 6, 7, 8, 9, 9, 9, 9, 9, 9, 9, 10, 0, 0, 0, -1, 0, 0, 6,
          0]}
      - {kind: buf, dtype: int32, fill: 0, count: 24}
    expect:
      1: [310, 310, 310, 310, 310, 310, 310, 310, 811, 811, 811, 811, 811, 811, 811, 811, 100, 100, 100, 100,
          100, 100, 100, 100]
---*/
extern "C" __global__ void barrier_votes(const int *in, int *out)
{
    int t = threadIdx.x;
    int v = in[blockIdx.x * 8 + t];
    int many = __syncthreads_count(v > 5);
    int all = __syncthreads_and(v > 0);
    int any = __syncthreads_or(v > 9);
    out[blockIdx.x * 8 + t] = many * 100 + (all != 0) * 10 + (any != 0);
}
