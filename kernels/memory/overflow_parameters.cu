/*---
description: "Twenty scalar parameters: more words than the published size has."
reference: "PTX ISA, State Spaces: .param"
features: [ld.param.u32]
tags: [large]
launches:
  - grid: [1, 1, 1]
    block: [2, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [0, 0]}
      - {kind: i32, value: 1}
      - {kind: i32, value: -2}
      - {kind: i32, value: 5}
      - {kind: i32, value: -10}
      - {kind: i32, value: 17}
      - {kind: i32, value: -26}
      - {kind: i32, value: 37}
      - {kind: i32, value: -50}
      - {kind: i32, value: 65}
      - {kind: i32, value: -82}
      - {kind: i32, value: 101}
      - {kind: i32, value: -122}
      - {kind: i32, value: 145}
      - {kind: i32, value: -170}
      - {kind: i32, value: 197}
      - {kind: i32, value: -226}
      - {kind: i32, value: 257}
      - {kind: i32, value: -290}
      - {kind: i32, value: 325}
    expect:
      0: [1150, -978]
---*/
extern "C" __global__ void overflow_parameters(int *out, int a, int b, int c, int d, int e, int f, int g, int h,
                                               int i, int j, int k, int l, int m, int n, int o, int p, int q,
                                               int r, int s)
{
    int even = a + c + e + g + i + k + m + o + q + s;
    int odd = b + d + f + h + j + l + n + p + r;
    out[threadIdx.x] = threadIdx.x == 0 ? even : odd;
}
