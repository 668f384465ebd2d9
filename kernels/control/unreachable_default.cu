/*---
description: "A default that can never be reached lets a compiler drop its branch; the reachable cases still
  diverge and join."
reference: "https://github.com/JuliaGPU/CUDA.jl/issues/1746"
features: [__builtin_unreachable, bra]
tags: [published]
covers: [trap-edge]
launches:
  - grid: [1, 1, 1]
    block: [8, 1, 1]
    args:
      - {kind: buf, dtype: uint32, data: [0, 1, 2, 3, 4294967295, 2147483648, 2147483649, 6]}
      - {kind: buf, dtype: uint32, fill: 0, count: 8}
    expect:
      1: [1, 2, 1, 4294967292, 0, 2147483649, 2, 3]
---*/
extern "C" __global__ void unreachable_default(const unsigned *in, unsigned *out)
{
    unsigned t = threadIdx.x;
    unsigned v = in[t];
    unsigned r;
    switch (v & 3u) {
    case 0:
        r = v + 1u;
        break;
    case 1:
        r = v * 2u;
        break;
    case 2:
        r = v >> 1;
        break;
    case 3:
        r = ~v;
        break;
    default:
        __builtin_unreachable();
    }
    out[t] = r;
}
