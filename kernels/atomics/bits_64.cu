/*---
description: "64-bit and, or and exclusive or."
reference: "CUDA C++ Programming Guide, Atomic Functions"
features: [atom.global.and.b64, atom.global.or.b64, atom.global.xor.b64]
covers: [atomic-kinds]
launches:
  - grid: [1, 1, 1]
    block: [4, 1, 1]
    args:
      - {kind: buf, dtype: uint64, data: [9223372041149743106, 281470681743360, 4042322160,
          4611686018427387905]}
      - {kind: buf, dtype: uint64, data: [18446744073709551615, 1, 9223372036854775808]}
    expect:
      1: [4611404543703322380, 13835339530006229235, 13835902466569458389]
---*/
extern "C" __global__ void bits_64(const unsigned long long *in, unsigned long long *out)
{
    int t = threadIdx.x;
    atomicAnd(&out[0], ~in[t]);
    atomicOr(&out[1], in[t]);
    atomicXor(&out[2], in[t] * 3);
}
