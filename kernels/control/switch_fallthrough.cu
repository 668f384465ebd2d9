/*---
description: "A switch whose cases run into each other, with a default in the middle and a case that leaves
  without storing."
reference: "https://github.com/ROCm/ROCm-OpenCL-Runtime/issues/103"
features: [switch, multi-way divergence, early return]
tags: [bug, published]
covers: [switch-fallthrough]
launches:
  - grid: [1, 1, 1]
    block: [8, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [10, -3, 4, 25, 6, 7, 100, 0, 0, 1, 2, 5, 9, -3, 2, 0]}
      - {kind: buf, dtype: int32, fill: -555, count: 8}
    expect:
      1: [11, -3, -174, 170, 0, -555, -110, 1]
---*/
extern "C" __global__ void switch_fallthrough(const int *in, int *out)
{
    unsigned t = threadIdx.x;
    int v = in[t];
    int r = 0;
    switch (in[t + 8]) {
    case 0:
        r = 1;
    case 1:
        r += v;
        break;
    case 2:
        r = -v;
    case 5:
        r ^= 0x55;
    default:
        r *= 2;
        break;
    case -3:
        return;
    }
    out[t] = r;
}
