/*---
description: "An inner loop inside one side of a branch inside a loop: three levels of divergence."
reference: "ISO C++17, [stmt.iter]"
features: [nested loop, bra]
tags: [published]
launches:
  - grid: [1, 1, 1]
    block: [8, 1, 1]
    args:
      - {kind: buf, dtype: uint32, data: [0, 1, 2, 7, 4294967295, 12, 33, 5, 3, 3, 4, 2, 3, 0, 5, 1]}
      - {kind: buf, dtype: uint32, fill: 0, count: 8}
    expect:
      1: [32, 16, 585, 190, 2147483637, 12, 55219, 15]
---*/
extern "C" __global__ void divergent_loop_in_branch(const unsigned *in, unsigned *out)
{
    unsigned t = threadIdx.x;
    unsigned a = in[t];
    unsigned b = in[t + 8];
    #pragma unroll 1
    for (unsigned r = 0; r < b; ++r) {
        if (a & 1u) {
    #pragma unroll 1
            for (unsigned k = 0; k <= r; ++k)
                a = a * 3u + k;
        } else {
            a = (a >> 1) + r;
        }
    }
    out[t] = a;
}
