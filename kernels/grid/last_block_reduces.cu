/*---
description: "The block that finishes last, known by an atomic counter after a fence, adds up all partial
  results."
reference: "CUDA C++ Programming Guide, Memory Fence Functions"
features: [membar.gl, atom.global.inc, shared flag]
tags: [algorithm]
covers: [memory-order, atomic-old-value]
launches:
  - grid: [3, 1, 1]
    block: [4, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8]}
      - {kind: buf, dtype: int32, data: [0, 0, 0]}
      - {kind: buf, dtype: uint32, data: [0]}
      - {kind: buf, dtype: int32, data: [0]}
    expect:
      1: [9, 22, 21]
      2: [0]
      3: [52]
---*/
extern "C" __global__ void last_block_reduces(const int *in, volatile int *part, unsigned *done, int *out)
{
    __shared__ bool last;
    int t = threadIdx.x;
    int v = in[blockIdx.x * 4 + t];
    v += __shfl_xor_sync(0xfu, v, 1, 4);
    v += __shfl_xor_sync(0xfu, v, 2, 4);
    if (t == 0) {
        part[blockIdx.x] = v;
        __threadfence();
        last = atomicInc(done, gridDim.x - 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (last && t == 0) {
        int sum = 0;
        for (unsigned b = 0; b < gridDim.x; ++b)
            sum += part[b];
        out[0] = sum;
    }
}
