/*---
description: "FNV-1a of four keys of five bytes."
reference: "draft-eastlake-fnv"
features: [xor, mul.lo.u32, loop]
tags: [published, algorithm]
launches:
  - grid: [1, 1, 1]
    block: [4, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [104, 101, 108, 108, 111, 119, 111, 114, 108, 100, 0, 0, 0, 0, 0, 255,
          254, 128, 1, 127]}
      - {kind: buf, dtype: uint32, fill: 0, count: 4}
    expect:
      1: [1335831723, 933488787, 303091727, 948533076]
---*/
extern "C" __global__ void fnv1a_hash(const int *in, unsigned *out)
{
    int t = threadIdx.x;
    unsigned h = 2166136261u;
    for (int k = 0; k < 5; ++k) {
        h ^= (unsigned)in[t * 5 + k];
        h *= 16777619u;
    }
    out[t] = h;
}
