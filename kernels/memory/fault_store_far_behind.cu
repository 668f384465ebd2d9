/*---
description: "A store far behind every buffer is an out-of-range fault and not a silent wrap."
reference: "https://github.com/numba/numba/issues/3063"
features: [st.global.u32, out of bounds]
tags: [bug, fault]
launches:
  - grid: [1, 1, 1]
    block: [4, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [0, 1, 50000, 2]}
      - {kind: buf, dtype: int32, fill: 0, count: 4}
    fault: out_of_range
---*/
extern "C" __global__ void fault_store_far_behind(const int *in, int *out)
{
    int t = threadIdx.x;
    out[in[t]] = t;
}
