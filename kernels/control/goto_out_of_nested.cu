/*---
description: "goto leaves two loops at once; lanes that find nothing leave by the loop conditions."
reference: "ISO C++17, [stmt.goto]"
features: [nested loop, bra]
tags: [published]
launches:
  - grid: [1, 1, 1]
    block: [4, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [0, 13, 21, 2]}
      - {kind: buf, dtype: int32, fill: 0, count: 4}
    expect:
      1: [0, 13, 33, -1]
---*/
extern "C" __global__ void goto_out_of_nested(const int *in, int *out)
{
    unsigned t = threadIdx.x;
    int k = in[t];
    int r = -1;
    #pragma unroll 1
    for (int i = 0; i < 4; ++i) {
    #pragma unroll 1
        for (int j = 0; j < 4; ++j) {
            if (i * 4 + j * j == k) {
                r = i * 10 + j;
                goto done;
            }
        }
    }
    done:
    out[t] = r;
}
