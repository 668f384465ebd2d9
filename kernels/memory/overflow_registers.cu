/*---
description: "Eighteen values wait in registers across a barrier: more than the machine has, and refused there
  with the numbers."
reference: "CUDA C++ Programming Guide, Device Memory Accesses"
features: [bar.sync, many live values]
tags: [large]
launches:
  - grid: [1, 1, 1]
    block: [2, 1, 1]
    args:
      - {kind: buf, dtype: int32, range: [1, 36, 1]}
    expect:
      0: [648, 595, 544, 495, 448, 403, 360, 319, 280, 243, 208, 175, 144, 115, 88, 63, 40, 19, 324, 289, 256,
          225, 196, 169, 144, 121, 100, 81, 64, 49, 36, 25, 16, 9, 4, 1]
---*/
extern "C" __global__ void overflow_registers(int *data)
{
    int *from = data + threadIdx.x * 18;
    int *to = data + (threadIdx.x ^ 1) * 18;
    int v[18];
#pragma unroll
    for (int k = 0; k < 18; ++k)
        v[k] = from[k];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < 18; ++k)
        to[17 - k] = v[k] * (k + 1);
}
