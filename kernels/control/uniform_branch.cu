/*---
description: "A branch on a kernel argument: all threads go the same way, a different one for each launch."
reference: "PTX ISA, Control Flow Instructions: bra"
features: [bra, ld.param]
tags: [published]
launches:
  - grid: [1, 1, 1]
    block: [4, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [1, -2, 0, 2147483647]}
      - {kind: buf, dtype: int32, fill: 9, count: 4}
      - {kind: i32, value: 0}
    expect:
      1: [-1, 2, 0, -2147483647]
  - grid: [1, 1, 1]
    block: [4, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [1, -2, 0, 2147483647]}
      - {kind: buf, dtype: int32, fill: 9, count: 4}
      - {kind: i32, value: -3}
    expect:
      1: [9, 9, 9, 9]
  - grid: [1, 1, 1]
    block: [4, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [1, -2, 0, 1000]}
      - {kind: buf, dtype: int32, fill: 9, count: 4}
      - {kind: i32, value: 100}
    expect:
      1: [101, 98, 100, 1100]
---*/
extern "C" __global__ void uniform_branch(const int *in, int *out, int mode)
{
    unsigned t = threadIdx.x;
    int v = in[t];
    if (mode == 0)
        v = -v;
    else if (mode > 0)
        v += mode;
    else
        return;
    out[t] = v;
}
