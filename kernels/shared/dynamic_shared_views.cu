/*---
description: "Overlapping views of launch-sized memory beside a static array, and a rotation in place."
reference: "https://github.com/numba/numba/issues/5073"
features: [dynamic shared memory, static shared memory, aliasing views, write after read]
tags: [published, bug]
covers: [dynamic-static-shared]
launches:
  - grid: [1, 1, 1]
    block: [8, 1, 1]
    smem: 48
    args:
      - {kind: buf, dtype: int32, data: [5, -6, 7, 8, -9, 10, 11, 12]}
      - {kind: buf, dtype: int32, fill: 0, count: 16}
    expect:
      1: [12, 5, -10, 12, -14, -16, -16, -16, 6, 12, 20, -4, 22, 16, 24, 10]
---*/
extern "C" __global__ void dynamic_shared_views(const int *in, int *out)
{
    extern __shared__ int dyn[];
    __shared__ int fixed[2];
    int t = (int)threadIdx.x;
    int *low = dyn;
    int *high = dyn + 6;
    low[t] = in[t];
    if (t < 4)
        high[t + 2] = in[t] * -2;
    if (t == 0) {
        fixed[0] = in[7];
        fixed[1] = in[0];
    }
    __syncthreads();
    int v = low[(t + 1) & 7];
    __syncthreads();
    low[t] = v;
    __syncthreads();
    out[t] = high[t < 6 ? t : 5];
    out[t + 8] = low[t] + fixed[t & 1];
}
