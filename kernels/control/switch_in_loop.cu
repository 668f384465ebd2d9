/*---
description: "A state machine: a switch in a loop, one state of which leaves the loop. break inside the switch
  does not."
reference: "ISO C++17, [stmt.switch]"
features: [loop, bra]
tags: [published]
launches:
  - grid: [1, 1, 1]
    block: [6, 1, 1]
    args:
      - {kind: buf, dtype: uint32, data: [0, 255, 53, 91, 146, 15, 8, 8, 8, 6, 8, 2]}
      - {kind: buf, dtype: uint32, fill: 0, count: 6}
    expect:
      1: [0, 447, 56, 491, 9, 6]
---*/
extern "C" __global__ void switch_in_loop(const unsigned *in, unsigned *out)
{
    unsigned t = threadIdx.x;
    unsigned a = in[t];
    unsigned n = in[t + 6];
    unsigned state = 0;
    unsigned acc = 0;
    #pragma unroll 1
    for (unsigned i = 0; i < n; ++i) {
        unsigned bit = (a >> (i & 31u)) & 1u;
        switch (state) {
        case 0:
            state = bit;
            break;
        case 1:
            acc += 1u;
            state = bit ? 2u : 0u;
            break;
        case 2:
            acc += 10u;
            state = bit ? 3u : 1u;
            break;
        default:
            acc += 100u;
            goto out_of_loop;
        }
    }
    out_of_loop:
    out[t] = acc * 4u + state;
}
