/*---
description: "A switch over 0 to 6 whose cases compute different things; values outside take the default."
reference: "ISO C++17, [stmt.switch]"
features: [brx.idx, bra, setp.eq]
tags: [published]
launches:
  - grid: [1, 1, 1]
    block: [10, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [0, 1, 2, 3, 4, 5, 6, 7, -1, -2147483648, 10, 11, 12, 13, 14, 15, 16,
          17, 18, 19]}
      - {kind: buf, dtype: int32, fill: 0, count: 10}
    expect:
      1: [11, 121, -12, 104, 91, 1, 99, -1, -1, -1]
---*/
extern "C" __global__ void switch_dense(const int *in, int *out)
{
    unsigned t = threadIdx.x;
    int k = in[t];
    int v = in[t + 10];
    int r;
    switch (k) {
    case 0:
        r = v + 1;
        break;
    case 1:
        r = v * v;
        break;
    case 2:
        r = -v;
        break;
    case 3:
        r = v << 3;
        break;
    case 4:
        r = v ^ 0x55;
        break;
    case 5:
        r = v % 7;
        break;
    case 6:
        r = 99;
        break;
    default:
        r = -1;
        break;
    }
    out[t] = r;
}
