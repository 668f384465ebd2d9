/*---
description: "Both arms of a block-uniform branch have a barrier of their own and go on differently."
reference: "https://github.com/llvm/llvm-project/pull/213870"
features: [bar.sync in two places]
tags: [published, bug]
covers: [barrier-duplicated]
launches:
  - grid: [1, 1, 1]
    block: [8, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [7, -3, 12, 0, 45, -128, 9, 1]}
      - {kind: buf, dtype: int32, fill: 0, count: 8}
      - {kind: i32, value: 3}
    expect:
      1: [174, 174, 4, 4, -174, -174, -4, -4]
---*/
extern "C" __global__ void barrier_in_both_arms(const int *in, int *out, int n)
{
    __shared__ int slot[8];
    int t = threadIdx.x;
    int acc = in[t];
    for (int k = 0; k < n; ++k) {
        slot[t] = acc;
        if (k & 1) {
            __syncthreads();
            acc += slot[t ^ 1];
        } else {
            __syncthreads();
            acc -= slot[t ^ 4];
        }
        __syncthreads();
    }
    out[t] = acc;
}
