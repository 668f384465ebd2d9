/*---
description: "The 32-bit finalizer of MurmurHash3."
reference: "Appleby, MurmurHash3, fmix32"
features: [shr.u32, xor, mul.lo.u32]
tags: [published, algorithm]
launches:
  - grid: [1, 1, 1]
    block: [8, 1, 1]
    args:
      - {kind: buf, dtype: uint32, data: [0, 1, 2, 4294967295, 2147483648, 3735928559, 65536, 12345]}
      - {kind: buf, dtype: uint32, fill: 0, count: 8}
    expect:
      1: [0, 1364076727, 821347078, 2180083513, 1832674720, 233162409, 245581154, 1011272156]
---*/
extern "C" __global__ void murmur_finalizer(const unsigned *in, unsigned *out)
{
    unsigned h = in[threadIdx.x];
    h ^= h >> 16;
    h *= 0x85ebca6bu;
    h ^= h >> 13;
    h *= 0xc2b2ae35u;
    h ^= h >> 16;
    out[threadIdx.x] = h;
}
