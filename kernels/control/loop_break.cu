/*---
description: "Lanes leave a loop by break at different rounds; what they computed until then stays."
reference: "ISO C++17, [stmt.break]"
features: [loop, bra]
tags: [published]
launches:
  - grid: [1, 1, 1]
    block: [6, 1, 1]
    args:
      - {kind: buf, dtype: uint32, data: [7, 100, 0, 6, 1, 99]}
      - {kind: buf, dtype: uint32, fill: 0, count: 12}
    expect:
      1: [0, 5, 0, 1, 6, 6, 0, 510, 0, 6, 21, 609]
---*/
extern "C" __global__ void loop_break(const unsigned *in, unsigned *out)
{
    unsigned t = threadIdx.x;
    unsigned a = in[t];
    unsigned acc = 0;
    unsigned i;
    #pragma unroll 1
    for (i = 0; i < 10u; ++i) {
        unsigned v = a + i;
        if (v % 7u == 0)
            break;
        acc += v;
    }
    out[t] = i;
    out[t + 6] = acc;
}
