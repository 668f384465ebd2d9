/*---
description: "A volatile word is read and written as often as the program says."
reference: "CUDA C++ Programming Guide, Volatile Qualifier"
features: [ld.volatile, st.volatile]
covers: [memory-order]
launches:
  - grid: [1, 1, 1]
    block: [4, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [1, -2, 3, 0]}
      - {kind: buf, dtype: int32, fill: 0, count: 4}
    expect:
      0: [12, 6, 16, 10]
      1: [11, 8, 13, 10]
---*/
extern "C" __global__ void volatile_read_twice(volatile int *cell, int *out)
{
    int t = threadIdx.x;
    int before = cell[t];
    cell[t] = before + 5;
    int middle = cell[t];
    cell[t] = middle * 2;
    out[t] = cell[t] - before;
}
