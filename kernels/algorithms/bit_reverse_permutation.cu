/*---
description: "The order of inputs of a radix-2 FFT: indices with their bits reversed."
reference: "Cormen et al., Introduction to Algorithms, 30.3"
features: [shl, shr, loop]
tags: [published, algorithm]
launches:
  - grid: [1, 1, 1]
    block: [16, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3]}
      - {kind: buf, dtype: int32, fill: 0, count: 16}
      - {kind: i32, value: 4}
    expect:
      1: [3, 5, 5, 9, 4, 5, 2, 9, 1, 3, 9, 7, 1, 8, 6, 3]
---*/
extern "C" __global__ void bit_reverse_permutation(const int *in, int *out, int bits)
{
    unsigned i = threadIdx.x, r = 0;
    for (int k = 0; k < bits; ++k)
        r = (r << 1) | ((i >> k) & 1u);
    out[r] = in[i];
}
