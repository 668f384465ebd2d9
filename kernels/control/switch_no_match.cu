/*---
description: "A switch without a default does nothing for values that match no label."
reference: "ISO C++17, [stmt.switch]"
features: [bra]
tags: [published]
covers: [switch-fallthrough]
launches:
  - grid: [1, 1, 1]
    block: [6, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [1, 2, 3, 4, 0, -1]}
      - {kind: buf, dtype: int32, fill: 0, count: 6}
    expect:
      1: [60, 50, 50, 70, 50, 50]
---*/
extern "C" __global__ void switch_no_match(const int *in, int *out)
{
    unsigned t = threadIdx.x;
    int k = in[t];
    int r = 50;
    switch (k) {
    case 1:
        r += 10;
        break;
    case 4:
        r += 20;
        break;
    case 2:
        break;
    }
    out[t] = r;
}
