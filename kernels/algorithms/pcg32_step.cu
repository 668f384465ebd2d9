/*---
description: "One step of the PCG generator: 64-bit state, 32-bit output rotated by its top bits."
reference: "O'Neill, PCG, HMC-CS-2014-0905"
features: [mul.lo.u64, shr.u64, rotate]
tags: [algorithm]
covers: [shift-count-clamp, funnel-shift]
launches:
  - grid: [1, 1, 1]
    block: [4, 1, 1]
    args:
      - {kind: buf, dtype: uint64, data: [0, 42, 18446744073709551615, 1311768467463790320]}
      - {kind: buf, dtype: uint32, fill: 0, count: 4}
    expect:
      0: [1442695040888963407, 10481999410520546993, 13525302890751722018, 11664487699085246847]
      1: [0, 0, 4293918721, 1369610156]
---*/
extern "C" __global__ void pcg32_step(unsigned long long *state, unsigned *out)
{
    int t = threadIdx.x;
    unsigned long long old = state[t];
    state[t] = old * 6364136223846793005ull + 1442695040888963407ull;
    unsigned x = (unsigned)(((old >> 18) ^ old) >> 27);
    unsigned r = (unsigned)(old >> 59);
    out[t] = (x >> r) | (x << ((0u - r) & 31u));
}
