/*---
description: "Bit reversal is its own inverse and takes bit 0 to bit 31."
reference: "CUDA Math API, Integer Intrinsics: __brev"
features: [brev.b32]
launches:
  - grid: [1, 1, 1]
    block: [8, 1, 1]
    args:
      - {kind: buf, dtype: uint32, data: [0, 1, 2147483648, 4294967295, 240, 305419896, 2147483649, 65535]}
      - {kind: buf, dtype: uint32, fill: 0, count: 24}
    expect:
      1: [0, 2147483648, 1, 4294967295, 251658240, 510274632, 2147483649, 4294901760, 0, 1, 2147483648,
        4294967295, 240, 305419896, 2147483649, 65535, 0, 32768, 0, 65535, 3840, 7786, 32768, 65535]
---*/
extern "C" __global__ void bit_reverse(const unsigned *in, unsigned *out)
{
    unsigned t = threadIdx.x;
    unsigned a = in[t];
    out[t] = __brev(a);
    out[t + 8] = __brev(__brev(a));
    out[t + 16] = __brev(a) >> 16;
}
