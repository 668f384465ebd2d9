/*---
description: "A thread's own array, indexed by run-time values, is separate from every other thread's."
reference: "CUDA C++ Programming Guide, Local Memory"
features: [ld.local.u32, st.local.u32]
covers: [address-spaces]
launches:
  - grid: [1, 1, 1]
    block: [4, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [1, 6, 3, 0, 2, 5]}
      - {kind: buf, dtype: int32, fill: 0, count: 16}
      - {kind: i32, value: 6}
    expect:
      1: [0, 7, 10, 6, 12, 18, 20, 13, 25, 30, 23, 25, 31, 34, 40, 38]
---*/
extern "C" __global__ void local_array_dynamic(const int *in, int *out, int n)
{
    int mine[4];
    int t = threadIdx.x;
    for (int k = 0; k < 4; ++k)
        mine[k] = t * 10 + k;
    for (int k = 0; k < n; ++k)
        mine[in[k] & 3] += in[(k + t) % n];
    for (int k = 0; k < 4; ++k)
        out[t * 4 + k] = mine[k];
}
