/*---
description: "A __constant__ table indexed by run-time values."
reference: "CUDA C++ Programming Guide, __constant__"
features: [ld.const.u32, .const initialiser]
covers: [address-spaces]
launches:
  - grid: [1, 1, 1]
    block: [8, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [0, 9, -1, 3, 3, 21, 6, 100]}
      - {kind: buf, dtype: int32, fill: 0, count: 8}
    expect:
      1: [202, 303, 1905, 707, 711, 1313, 1717, 1119]
---*/
__constant__ int primes[8] = {2, 3, 5, 7, 11, 13, 17, 19};

extern "C" __global__ void constant_table(const int *in, int *out)
{
    int t = threadIdx.x;
    out[t] = primes[in[t] & 7] * 100 + primes[t];
}
