/*---
description: "Static arrays and launch-sized memory lie side by side and do not overlap."
reference: "https://github.com/numba/numba/issues/5073"
features: [static and dynamic shared memory]
tags: [published, bug]
covers: [dynamic-static-shared]
launches:
  - grid: [1, 1, 1]
    block: [4, 1, 1]
    smem: 24
    args:
      - {kind: buf, dtype: int32, data: [7, -3, 12, 0, 45, -128, 9, 1]}
      - {kind: buf, dtype: int32, fill: 0, count: 4}
    expect:
      1: [-12807, 5715, -315, 1907]
---*/
extern "C" __global__ void static_beside_dynamic(const int *in, int *out)
{
    __shared__ int front[4];
    extern __shared__ int rest[];
    __shared__ int back[4];
    int t = threadIdx.x;
    front[t] = in[t];
    for (int k = t; k < 6; k += 4)
        rest[k] = in[k] * 100;
    back[t] = -in[t];
    __syncthreads();
    int o = 3 - t;
    out[t] = front[o] + rest[o] + rest[5 - t] + back[t];
}
