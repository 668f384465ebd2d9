/*---
description: "A compare guards shift counts of 32 and above, so no C++ shift goes out of range; dropping it
  must not change a result."
reference: "https://github.com/llvm/llvm-project/pull/201165"
features: [shl, shr.u32, shr.s32, selp, "shift count >= 32"]
tags: [bug, published]
covers: [shift-count-clamp]
launches:
  - grid: [1, 1, 1]
    block: [8, 1, 1]
    args:
      - {kind: buf, dtype: uint32, data: [1, 2147483649, 2147483649, 4294967295, 305419896, 4026531840,
          2147483647, 3735928559, 0, 1, 31, 32, 33, 63, 255, 4294967295]}
      - {kind: buf, dtype: uint32, fill: 0, count: 24}
    expect:
      1: [1, 2, 2147483648, 0, 0, 0, 0, 0, 1, 1073741824, 1, 0, 0, 0, 0, 0, 1, 3221225472, 4294967295,
        4294967295, 0, 4294967295, 0, 4294967295]
---*/
extern "C" __global__ void guarded_shift(const unsigned *in, unsigned *out)
{
    unsigned t = threadIdx.x;
    unsigned v = in[t];
    unsigned n = in[t + 8];
    out[t] = n < 32u ? v << n : 0u;
    out[t + 8] = n < 32u ? v >> n : 0u;
    out[t + 16] = (unsigned)((int)v >> (n < 31u ? n : 31u));
}
