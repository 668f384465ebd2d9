/*---
description: "A polynomial modulo 2^32 by Horner's rule."
reference: "Knuth, The Art of Computer Programming 2, 4.6.4"
features: [mad.lo.u32, loop]
tags: [published, algorithm]
launches:
  - grid: [1, 1, 1]
    block: [8, 1, 1]
    args:
      - {kind: buf, dtype: uint32, data: [7, 4294967291, 0, 65537, 3]}
      - {kind: buf, dtype: uint32, data: [0, 1, 2, 10, 65535, 65536, 4294967295, 123456789]}
      - {kind: buf, dtype: uint32, fill: 0, count: 8}
      - {kind: i32, value: 4}
    expect:
      2: [7, 65542, 524341, 65566957, 4293984270, 4294639623, 4294901774, 1238688990]
---*/
extern "C" __global__ void horner_polynomial(const unsigned *coefficient, const unsigned *x, unsigned *out,
                                             int degree)
{
    unsigned v = x[threadIdx.x];
    unsigned r = coefficient[degree];
    for (int k = degree - 1; k >= 0; --k)
        r = r * v + coefficient[k];
    out[threadIdx.x] = r;
}
