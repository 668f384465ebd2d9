/*---
description: "Module variables hold their initial values; those without an initialiser are zero."
reference: "PTX ISA, State Spaces: .global"
features: [.global variable, initialiser, zero initialised]
covers: [address-spaces]
launches:
  - grid: [1, 1, 1]
    block: [4, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [1, 2, 3, 4]}
      - {kind: buf, dtype: int32, fill: 0, count: 4}
    expect:
      1: [1000001, 9, -5, 13]
---*/
__device__ int seeded[4] = {9, -8, 7, 1000000};
__device__ int blank[4];

extern "C" __global__ void module_variable(const int *in, int *out)
{
    int t = threadIdx.x;
    blank[t] += in[t];
    out[t] = seeded[3 - t] + blank[t];
}
