/*---
description: "A switch over far-apart labels, both ends of the int range among them."
reference: "ISO C++17, [stmt.switch]"
features: [bra, setp]
tags: [published]
launches:
  - grid: [1, 1, 1]
    block: [8, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [-2147483648, -1, 0, 1000000, 2147483647, 1, -2147483647, 65536]}
      - {kind: buf, dtype: int32, fill: 0, count: 8}
    expect:
      1: [1, 2, 3, 4, 5, 0, 0, 6]
---*/
extern "C" __global__ void switch_sparse(const int *in, int *out)
{
    unsigned t = threadIdx.x;
    int k = in[t];
    int r = 0;
    switch (k) {
    case -2147483647 - 1: r = 1; break;
    case -1: r = 2; break;
    case 0: r = 3; break;
    case 65536: r = 6; break;
    case 1000000: r = 4; break;
    case 2147483647: r = 5; break;
    }
    out[t] = r;
}
