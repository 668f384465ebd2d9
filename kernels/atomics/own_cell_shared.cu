/*---
description: "Each thread on its own shared word: a chain of atomics, each with the old value of the one
  before."
reference: "CUDA C++ Programming Guide, Atomic Functions"
features: [atom.shared.add, atom.shared.max, atom.shared.exch, atom.shared.cas, old value]
covers: [atomic-old-value, atomic-kinds]
launches:
  - grid: [1, 1, 1]
    block: [8, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [7, -3, 12, 0, 45, -128, 9, 1]}
      - {kind: buf, dtype: int32, fill: 0, count: 16}
    expect:
      1: [361, 331, 416, 340, 1175, -44, 367, 343, -30, -30, -32, -30, -63, -30, -30, -30]
---*/
extern "C" __global__ void own_cell_shared(const int *in, int *out)
{
    __shared__ int cell[8];
    int t = threadIdx.x;
    cell[t] = in[t];
    int a = atomicAdd(&cell[t], 10);
    int b = atomicMax(&cell[t], 20);
    int c = atomicExch(&cell[t], a - b);
    int d = atomicCAS(&cell[t], -10, c);
    int e = atomicXor(&cell[t], d);
    out[t] = a + b * 2 + c * 4 + d * 8 + e * 16;
    out[t + 8] = cell[t];
}
