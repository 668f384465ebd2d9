/*---
description: "Lanes do different amounts of work, or none, before a barrier that all of them reach."
reference: "https://github.com/numba/numba/issues/2655"
features: [bar.sync, divergent loop before a barrier]
tags: [published, bug]
covers: [order-hides-races]
launches:
  - grid: [1, 1, 1]
    block: [8, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [3, -2, 5, 1, 4, 0, 0, 0]}
      - {kind: buf, dtype: int32, fill: 0, count: 8}
    expect:
      1: [134, 418, 107, 106, 105, 115, 106, 156]
---*/
extern "C" __global__ void barrier_after_uneven_work(const int *in, int *out)
{
    __shared__ int slot[8];
    int t = (int)threadIdx.x;
    if (t < 5) {
        int acc = in[t];
#pragma unroll 1
        for (int k = 0; k < t; ++k)
            acc = acc * 3 - k;
        slot[t] = acc;
    } else {
        slot[t] = -t;
    }
    __syncthreads();
    int far = slot[(t + 3) & 7];
    __syncthreads();
    if (t == 2)
        slot[0] = 112;
    __syncthreads();
    out[t] = far + slot[0];
}
