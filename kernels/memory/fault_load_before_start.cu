/*---
description: "A load before the first buffer is an out-of-range fault."
reference: "CUDA C++ Programming Guide, Device Memory Accesses"
features: [ld.global.u32, negative index]
tags: [fault]
launches:
  - grid: [1, 1, 1]
    block: [4, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [0, 1, -40000, 2]}
      - {kind: buf, dtype: int32, fill: 0, count: 4}
    fault: out_of_range
---*/
extern "C" __global__ void fault_load_before_start(const int *in, int *out)
{
    int t = threadIdx.x;
    out[t] = in[in[t]];
}
