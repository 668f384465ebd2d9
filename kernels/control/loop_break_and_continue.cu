/*---
description: "break and continue in one loop, taken by different lanes in the same round."
reference: "ISO C++17, [stmt.jump]"
features: [loop, bra]
tags: [published]
launches:
  - grid: [1, 1, 1]
    block: [6, 1, 1]
    args:
      - {kind: buf, dtype: uint32, data: [0, 1, 2, 3, 4, 5, 9, 9, 0, 9, 1, 9]}
      - {kind: buf, dtype: uint32, fill: 0, count: 12}
    expect:
      1: [489, 3587766, 0, 486, 23, 28, 3, 7, 0, 2, 1, 1]
---*/
extern "C" __global__ void loop_break_and_continue(const unsigned *in, unsigned *out)
{
    unsigned t = threadIdx.x;
    unsigned a = in[t];
    unsigned n = in[t + 6];
    unsigned sum = 0;
    unsigned count = 0;
    #pragma unroll 1
    for (unsigned i = 0; i < n; ++i) {
        a = a * 5u + 3u;
        if (a % 4u == 1u)
            continue;
        if (a % 11u == 0)
            break;
        sum += a;
        ++count;
    }
    out[t] = sum;
    out[t + 6] = count;
}
