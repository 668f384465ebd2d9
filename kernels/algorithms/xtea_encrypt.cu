/*---
description: "XTEA: the key word depends on the running sum."
reference: "Needham and Wheeler, Tea extensions, 1997"
features: [dependent key index, shl, shr.u32, xor]
tags: [published, algorithm]
launches:
  - grid: [1, 1, 1]
    block: [2, 1, 1]
    args:
      - {kind: buf, dtype: uint32, data: [1094861636, 1162233672, 0, 1]}
      - {kind: buf, dtype: uint32, data: [66051, 67438087, 134810123, 202182159]}
      - {kind: buf, dtype: uint32, fill: 0, count: 4}
      - {kind: i32, value: 32}
    expect:
      2: [1232991184, 1918971061, 869754538, 1237334077]
---*/
extern "C" __global__ void xtea_encrypt(const unsigned *in, const unsigned *key, unsigned *out, int cycles)
{
    int t = threadIdx.x;
    unsigned y = in[2 * t], z = in[2 * t + 1], sum = 0;
    #pragma unroll 1
    for (int k = 0; k < cycles; ++k) {
        y += (((z << 4) ^ (z >> 5)) + z) ^ (sum + key[sum & 3]);
        sum += 0x9e3779b9u;
        z += (((y << 4) ^ (y >> 5)) + y) ^ (sum + key[(sum >> 11) & 3]);
    }
    out[2 * t] = y;
    out[2 * t + 1] = z;
}
