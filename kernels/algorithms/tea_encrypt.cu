/*---
description: "The Tiny Encryption Algorithm, all 32 cycles."
reference: "Wheeler and Needham, FSE 1994"
features: [shl, shr.u32, add, xor, loop]
tags: [published, algorithm]
launches:
  - grid: [1, 1, 1]
    block: [2, 1, 1]
    args:
      - {kind: buf, dtype: uint32, data: [0, 0, 1, 2]}
      - {kind: buf, dtype: uint32, fill: 0, count: 4}
      - {kind: buf, dtype: uint32, fill: 0, count: 4}
      - {kind: i32, value: 32}
    expect:
      2: [1105869322, 2495260992, 729771320, 838294641]
  - grid: [1, 1, 1]
    block: [2, 1, 1]
    args:
      - {kind: buf, dtype: uint32, data: [5, 4294967295, 2147483648, 7]}
      - {kind: buf, dtype: uint32, data: [287454020, 1432778632, 2578103244, 3723427584]}
      - {kind: buf, dtype: uint32, fill: 0, count: 4}
      - {kind: i32, value: 6}
    expect:
      2: [80453670, 2247641919, 3291141241, 2285047346]
---*/
extern "C" __global__ void tea_encrypt(const unsigned *in, const unsigned *key, unsigned *out, int cycles)
{
    int t = threadIdx.x;
    unsigned y = in[2 * t], z = in[2 * t + 1], sum = 0;
    for (int k = 0; k < cycles; ++k) {
        sum += 0x9e3779b9u;
        y += ((z << 4) + key[0]) ^ (z + sum) ^ ((z >> 5) + key[1]);
        z += ((y << 4) + key[2]) ^ (y + sum) ^ ((y >> 5) + key[3]);
    }
    out[2 * t] = y;
    out[2 * t + 1] = z;
}
