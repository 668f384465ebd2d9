/*---
description: "High halves of 32x32 products: the same bits read once as unsigned and once as signed."
reference: "https://github.com/triton-lang/triton/pull/11043"
features: [mul.hi.u32, mul.hi.s32, mul.lo]
tags: [bug, published]
covers: [mul-hi-wide]
launches:
  - grid: [1, 1, 1]
    block: [8, 1, 1]
    args:
      - {kind: buf, dtype: uint32, data: [4294967295, 4294967295, 2147483648, 2147483648, 2147483647,
          123456789, 3735928559, 0, 4294967295, 1, 2147483648, 2, 2147483647, 4275878552, 3405691582,
          4294967295]}
      - {kind: buf, dtype: uint32, fill: 0, count: 24}
    expect:
      1: [4294967294, 0, 1073741824, 1, 1073741823, 122908092, 2962402171, 0, 0, 4294967295, 1073741824,
        4294967295, 1073741823, 4294418599, 115749326, 0, 1, 4294967295, 0, 0, 1, 630130296, 2295290722, 0]
---*/
extern "C" __global__ void mulhi_signs(const unsigned *in, unsigned *out)
{
    unsigned t = threadIdx.x;
    unsigned p = in[t];
    unsigned q = in[t + 8];
    out[t] = __umulhi(p, q);
    out[t + 8] = (unsigned)__mulhi((int)p, (int)q);
    out[t + 16] = p * q;
}
