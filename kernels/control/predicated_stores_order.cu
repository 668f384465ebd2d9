/*---
description: "Two stores of one thread to one word, the second only for some lanes: program order decides."
reference: "PTX ISA, Memory Consistency Model: Program Order"
features: [st.global, bra]
tags: [published]
launches:
  - grid: [1, 1, 1]
    block: [6, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [1, -1, 0, -7, -2147483648, 2147483647]}
      - {kind: buf, dtype: int32, fill: 5, count: 6}
    expect:
      1: [1, -1000, 0, -993, -1000, 2147483647]
---*/
extern "C" __global__ void predicated_stores_order(const int *in, volatile int *out)
{
    unsigned t = threadIdx.x;
    int v = in[t];
    out[t] = v;
    if (v < 0)
        out[t] = -1000;
    if (v == -7)
        out[t] = out[t] + 7;
}
