/*---
description: "Shifts by a masked run-time count, left, logical right and arithmetic right."
reference: "ISO C++17, [expr.shift]"
features: [shl.b32, shr.u32, shr.s32]
tags: [published]
launches:
  - grid: [1, 1, 1]
    block: [6, 1, 1]
    args:
      - {kind: buf, dtype: uint32, data: [1, 2147483649, 4294967295, 2147483648, 2147483647, 3735928559, 31,
          1, 16, 31, 0, 36]}
      - {kind: buf, dtype: uint32, fill: 0, count: 18}
    expect:
      1: [2147483648, 2, 4294901760, 0, 2147483647, 3940282096, 0, 1073741824, 65535, 1, 2147483647,
        233495534, 0, 3221225472, 4294967295, 4294967295, 2147483647, 4260027374]
---*/
extern "C" __global__ void shift_variable(const unsigned *in, unsigned *out)
{
    unsigned t = threadIdx.x;
    unsigned a = in[t];
    unsigned n = in[t + 6];
    out[t] = a << (n & 31u);
    out[t + 6] = a >> (n & 31u);
    out[t + 12] = (unsigned)((int)a >> (n & 31u));
}
