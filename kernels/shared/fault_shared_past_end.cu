/*---
description: "A store behind the block's shared memory is an out-of-range fault."
reference: "CUDA C++ Programming Guide, Shared Memory"
features: [st.shared, out of bounds]
tags: [fault]
launches:
  - grid: [1, 1, 1]
    block: [4, 1, 1]
    smem: 16
    args:
      - {kind: buf, dtype: int32, data: [0, 1, 2, 100000]}
      - {kind: buf, dtype: int32, fill: 0, count: 4}
    fault: out_of_range
---*/
extern "C" __global__ void fault_shared_past_end(const int *in, int *out)
{
    extern __shared__ int slot[];
    int t = threadIdx.x;
    slot[in[t]] = t;
    __syncthreads();
    out[t] = slot[t];
}
