/*---
description: "Threads of several blocks add 64-bit values to one cell; carries cross the middle."
reference: "CUDA C++ Programming Guide, Atomic Functions"
features: [atom.global.add.u64]
covers: [atomic-kinds]
launches:
  - grid: [2, 1, 1]
    block: [4, 1, 1]
    args:
      - {kind: buf, dtype: uint32, data: [4294967295, 1, 2147483648, 3000000000, 4294967295, 7, 0, 65536]}
      - {kind: buf, dtype: uint64, data: [8589934591]}
    expect:
      1: [49802385937]
---*/
extern "C" __global__ void add_one_cell_64(const unsigned *in, unsigned long long *sum)
{
    unsigned long long v = in[blockIdx.x * 4 + threadIdx.x];
    atomicAdd(sum, v * 3);
}
