/*---
description: "A lambda that captures by value and one that captures by reference, called in different
  branches."
reference: "ISO C++17, [expr.prim.lambda]"
features: [inlining, bra]
tags: [published]
launches:
  - grid: [1, 1, 1]
    block: [4, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [1, 0, -1, 50]}
      - {kind: buf, dtype: int32, fill: 0, count: 4}
    expect:
      1: [401, 1207, 1207, 15101]
---*/
extern "C" __global__ void lambda_in_kernel(const int *in, int *out)
{
    unsigned t = threadIdx.x;
    int v = in[t];
    int calls = 0;
    auto grow = [v](int k) { return v * k; };
    auto count = [&calls](int k) {
        calls += k;
        return calls;
    };
    int r;
    if (v > 0)
        r = grow(3) + count(1);
    else
        r = count(5) + count(2);
    out[t] = r * 100 + calls;
}
