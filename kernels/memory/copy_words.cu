/*---
description: "A guarded copy moves exactly n words and leaves the rest of the target alone."
reference: "CUDA C++ Programming Guide, Kernels"
features: [ld.global.u32, st.global.u32, setp, ragged tail]
tags: [published]
launches:
  - grid: [3, 1, 1]
    block: [4, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [5, -6, 2147483647, -2147483648, 0, 1, 99, -1, 3, 8]}
      - {kind: buf, dtype: int32, fill: -7, count: 12}
      - {kind: i32, value: 10}
    expect:
      1: [5, -6, 2147483647, -2147483648, 0, 1, 99, -1, 3, 8, -7, -7]
---*/
extern "C" __global__ void copy_words(const int *in, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = in[i];
}
