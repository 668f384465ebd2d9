/*---
description: "A loop unrolled by four still runs the trip counts that four does not divide."
reference: "CUDA C++ Programming Guide, #pragma unroll"
features: [loop, pragma unroll]
launches:
  - grid: [1, 1, 1]
    block: [6, 1, 1]
    args:
      - {kind: buf, dtype: uint32, data: [0, 1, 3, 4, 5, 11]}
      - {kind: buf, dtype: uint32, fill: 0, count: 6}
    expect:
      1: [1, 7, 352, 2467, 17273, 2032252484]
---*/
extern "C" __global__ void loop_unrolled_remainder(const unsigned *in, unsigned *out)
{
    unsigned t = threadIdx.x;
    unsigned n = in[t];
    unsigned h = 1;
    #pragma unroll 4
    for (unsigned i = 0; i < n; ++i)
        h = h * 7u + i;
    out[t] = h;
}
