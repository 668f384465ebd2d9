/*---
description: "Atomic and, or and exclusive or into three words."
reference: "CUDA C++ Programming Guide, Atomic Functions"
features: [atom.global.and.b32, atom.global.or.b32, atom.global.xor.b32]
covers: [atomic-kinds]
launches:
  - grid: [1, 1, 1]
    block: [8, 1, 1]
    args:
      - {kind: buf, dtype: uint32, data: [4294901775, 2415857665, 4293918723, 2683437063, 4286840843,
          3757047811, 3220701199, 2414874625]}
      - {kind: buf, dtype: uint32, data: [4294967295, 0, 2882400001]}
    expect:
      1: [2407534577, 4294905871, 2880696077]
---*/
extern "C" __global__ void and_or_xor(const unsigned *in, unsigned *out)
{
    int t = threadIdx.x;
    atomicAnd(&out[0], in[t] | 0xff0u);
    atomicOr(&out[1], in[t]);
    atomicXor(&out[2], in[t]);
}
