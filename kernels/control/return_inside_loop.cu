/*---
description: "Lanes return out of a loop in different rounds, with a store of their own; the rest store after
  the loop."
reference: "ISO C++17, [stmt.return]"
features: [ret, loop]
tags: [published]
launches:
  - grid: [1, 1, 1]
    block: [8, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [0, 13, 3, 23, 24, 9, -1, 7]}
      - {kind: buf, dtype: int32, fill: 55, count: 8}
    expect:
      1: [0, 3, -26, 5, 5, 1, -30, 0]
---*/
extern "C" __global__ void return_inside_loop(const int *in, int *out)
{
    int t = (int)threadIdx.x;
    int target = in[t];
    int v = t;
    for (int i = 0; i < 6; ++i) {
        if (v == target) {
            out[t] = i;
            return;
        }
        v += 4;
    }
    out[t] = -v;
}
