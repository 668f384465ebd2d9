/*---
description: "64 threads a block: more than either machine size has, and refused there with the numbers."
reference: "CUDA C++ Programming Guide, Thread Hierarchy"
features: [block of 64 threads]
tags: [large]
launches:
  - grid: [1, 1, 1]
    block: [64, 1, 1]
    args:
      - {kind: buf, dtype: int32, fill: 0, count: 64}
    expect:
      0: [3970, 3845, 3722, 3601, 3482, 3365, 3250, 3137, 3026, 2917, 2810, 2705, 2602, 2501, 2402, 2305, 2210,
          2117, 2026, 1937, 1850, 1765, 1682, 1601, 1522, 1445, 1370, 1297, 1226, 1157, 1090, 1025, 962, 901,
          842, 785, 730, 677, 626, 577, 530, 485, 442, 401, 362, 325, 290, 257, 226, 197, 170, 145, 122, 101,
          82, 65, 50, 37, 26, 17, 10, 5, 2, 1]
---*/
extern "C" __global__ void overflow_threads(int *out)
{
    __shared__ int slot[64];
    int t = threadIdx.x;
    slot[63 - t] = t * t;
    __syncthreads();
    out[t] = slot[t] + 1;
}
