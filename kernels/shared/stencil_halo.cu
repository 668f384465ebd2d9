/*---
description: "A block loads its part with one element of halo on each side, zeros outside the buffer."
reference: "CUDA C++ Programming Guide, Shared Memory"
features: [halo loads, bar.sync, several blocks]
tags: [published, algorithm]
launches:
  - grid: [4, 1, 1]
    block: [4, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7]}
      - {kind: buf, dtype: int32, fill: -1, count: 16}
      - {kind: i32, value: 14}
    expect:
      1: [7, 9, 10, 11, 20, 25, 19, 19, 19, 16, 21, 30, 33, 23, -1, -1]
---*/
extern "C" __global__ void stencil_halo(const int *in, int *out, int n)
{
    __shared__ int part[6];
    int t = threadIdx.x;
    int i = blockIdx.x * 4 + t;
    part[t + 1] = i < n ? in[i] : 0;
    if (t == 0)
        part[0] = i > 0 ? in[i - 1] : 0;
    if (t == 3)
        part[5] = i + 1 < n ? in[i + 1] : 0;
    __syncthreads();
    if (i < n)
        out[i] = part[t] + 2 * part[t + 1] + part[t + 2];
}
