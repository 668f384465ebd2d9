/*---
description: "A compare-and-swap loop adds and stops at a limit."
reference: "CUDA C++ Programming Guide, Atomic Functions"
features: [atom.global.cas.b32 in a loop]
covers: [atomic-kinds, atomic-old-value]
launches:
  - grid: [1, 1, 1]
    block: [8, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [1, 2, 3, 4, 5, 6, 7, 8]}
      - {kind: buf, dtype: int32, data: [10]}
      - {kind: i32, value: 1000}
    expect:
      1: [46]
  - grid: [2, 1, 1]
    block: [8, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [1, 2, 3, 4, 5, 6, 7, 8]}
      - {kind: buf, dtype: int32, data: [0]}
      - {kind: i32, value: 30}
    expect:
      1: [30]
---*/
extern "C" __global__ void cas_loop_saturating(const int *in, int *cell, int limit)
{
    int v = in[threadIdx.x];
    int seen = atomicAdd(cell, 0);
    for (;;) {
        int want = seen + v > limit ? limit : seen + v;
        int old = atomicCAS(cell, seen, want);
        if (old == seen)
            break;
        seen = old;
    }
}
