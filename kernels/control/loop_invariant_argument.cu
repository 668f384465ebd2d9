/*---
description: "The trip count is a kernel argument: zero, one and many rounds in three launches."
reference: "ISO C++17, [stmt.for]"
features: [loop, ld.param]
tags: [published]
launches:
  - grid: [1, 1, 1]
    block: [4, 1, 1]
    args:
      - {kind: buf, dtype: uint32, fill: 7, count: 4}
      - {kind: u32, value: 0}
      - {kind: u32, value: 5}
    expect:
      0: [0, 1, 2, 3]
  - grid: [1, 1, 1]
    block: [4, 1, 1]
    args:
      - {kind: buf, dtype: uint32, fill: 7, count: 4}
      - {kind: u32, value: 1}
      - {kind: u32, value: 4294967295}
    expect:
      0: [0, 4294967295, 4294967294, 4294967293]
  - grid: [1, 1, 1]
    block: [4, 1, 1]
    args:
      - {kind: buf, dtype: uint32, fill: 7, count: 4}
      - {kind: u32, value: 13}
      - {kind: u32, value: 31}
    expect:
      0: [2962965702, 2457407077, 1951848452, 1446289827]
---*/
extern "C" __global__ void loop_invariant_argument(unsigned *out, unsigned n, unsigned k)
{
    unsigned t = threadIdx.x;
    unsigned h = t;
    for (unsigned i = 0; i < n; ++i)
        h = h * k + i;
    out[t] = h;
}
