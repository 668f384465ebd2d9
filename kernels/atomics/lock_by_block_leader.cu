/*---
description: "A spin lock taken by one thread a block guards a read-modify-write of two words."
reference: "CUDA C++ Programming Guide, Memory Fence Functions"
features: [atom.cas spin lock, membar.gl, atom.exch]
covers: [memory-order, atomic-kinds]
launches:
  - grid: [4, 1, 1]
    block: [4, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [3, -1, 4, 10]}
      - {kind: buf, dtype: int32, data: [0]}
      - {kind: buf, dtype: int32, data: [0, 0]}
    expect:
      1: [0]
      2: [16, 126]
---*/
extern "C" __global__ void lock_by_block_leader(const int *in, int *lock, volatile int *state)
{
    if (threadIdx.x == 0) {
        while (atomicCAS(lock, 0, 1) != 0)
            ;
        __threadfence();
        int v = in[blockIdx.x];
        state[0] = state[0] + v;
        state[1] = state[1] + v * v;
        __threadfence();
        atomicExch(lock, 0);
    }
}
