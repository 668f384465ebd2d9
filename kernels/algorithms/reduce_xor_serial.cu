/*---
description: "Exclusive or of all words by one thread a part, then by one thread."
reference: "CUDA C++ Programming Guide, Kernels"
features: [xor.b32, bar.sync]
tags: [published, algorithm]
launches:
  - grid: [1, 1, 1]
    block: [4, 1, 1]
    args:
      - {kind: buf, dtype: uint32, lcg: {seed: 5, count: 20, low: 0, high: 2147483647}}
      - {kind: buf, dtype: uint32, data: [0]}
      - {kind: i32, value: 5}
    expect:
      1: [1496761341]
---*/
extern "C" __global__ void reduce_xor_serial(const unsigned *in, unsigned *out, int each)
{
    __shared__ unsigned part[4];
    int t = threadIdx.x;
    unsigned x = 0;
    for (int k = 0; k < each; ++k)
        x ^= in[t * each + k];
    part[t] = x;
    __syncthreads();
    if (t == 0)
        out[0] = part[0] ^ part[1] ^ part[2] ^ part[3];
}
