/*---
description: "Running maxima of groups of four, signed and unsigned."
reference: "CUDA C++ Programming Guide, Warp Shuffle Functions"
features: [shfl.sync.up, max.s32, max.u32]
tags: [published, algorithm]
covers: [min-max-signedness]
launches:
  - grid: [1, 1, 1]
    block: [8, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [7, -3, 12, 0, 45, -128, 9, 1]}
      - {kind: buf, dtype: int32, fill: 0, count: 8}
      - {kind: buf, dtype: uint32, fill: 0, count: 8}
    expect:
      1: [7, 7, 12, 12, 45, 45, 45, 45]
      2: [7, 4294967293, 4294967293, 4294967293, 45, 4294967168, 4294967168, 4294967168]
---*/
extern "C" __global__ void shfl_scan_max(const int *in, int *out, unsigned *raw)
{
    int t = threadIdx.x;
    int v = in[t];
    unsigned u = (unsigned)v;
    for (int d = 1; d < 4; d <<= 1) {
        v = max(v, __shfl_up_sync(0xffffffffu, v, d, 4));
        u = max(u, __shfl_up_sync(0xffffffffu, u, d, 4));
    }
    out[t] = v;
    raw[t] = u;
}
