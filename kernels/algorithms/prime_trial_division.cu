/*---
description: "Primality by trial division."
reference: "Knuth, The Art of Computer Programming 2, 4.5.4"
features: [rem.u32, divergent loop, break]
tags: [algorithm]
launches:
  - grid: [1, 1, 1]
    block: [8, 1, 1]
    args:
      - {kind: buf, dtype: uint32, data: [0, 1, 2, 25, 97, 221, 223, 1009]}
      - {kind: buf, dtype: int32, fill: 0, count: 8}
    expect:
      1: [0, 0, 1, 0, 1, 0, 1, 1]
---*/
extern "C" __global__ void prime_trial_division(const unsigned *in, int *out)
{
    unsigned n = in[threadIdx.x];
    int prime = n > 1;
    for (unsigned d = 2; d * d <= n; ++d) {
        if (n % d == 0) {
            prime = 0;
            break;
        }
    }
    out[threadIdx.x] = prime;
}
