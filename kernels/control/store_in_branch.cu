/*---
description: "Stores inside a branch happen for the taken lanes only; the other words keep their contents."
reference: "ISO C++17, [stmt.if]"
features: [bra, st.global]
tags: [published]
launches:
  - grid: [1, 1, 1]
    block: [8, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [10, 3, -1, 25, 20, 2147483647, 9, -2147483648]}
      - {kind: buf, dtype: int32, data: [100, 101, 102, 103, 104, 105, 106, 107, 108, 109, 110, 111, 112, 113,
          114, 115, 116, 117, 118, 119, 120, 121, 122, 123]}
    expect:
      1: [0, 101, 102, 15, 10, 2147483637, 106, 107, 108, 109, 110, 25, 20, 2147483647, 114, 115, 116, 117,
        -1, 119, 120, 121, 122, -2147483648]
---*/
extern "C" __global__ void store_in_branch(const int *in, int *out)
{
    int t = (int)threadIdx.x;
    int v = in[t];
    if (v >= 10) {
        out[t] = v - 10;
        if (v >= 20)
            out[t + 8] = v;
    } else if (v < 0) {
        out[t + 16] = v;
    }
}
