/*---
description: "A 64-bit value moves as two halves that belong together."
reference: "CUDA C++ Programming Guide, Warp Shuffle Functions"
features: [shfl.sync of 64 bits, mov.b64]
launches:
  - grid: [1, 1, 1]
    block: [4, 1, 1]
    args:
      - {kind: buf, dtype: int64, data: [1099511627777, -1, -1125899906842624, 5]}
      - {kind: buf, dtype: int64, fill: 0, count: 4}
    expect:
      1: [1099511627782, -1125899906842625, -1125899906842625, 1099511627782]
---*/
extern "C" __global__ void shfl_64(const long long *in, long long *out)
{
    int t = threadIdx.x;
    long long v = in[t];
    out[t] = __shfl_xor_sync(0xfu, v, 3, 4) + v;
}
