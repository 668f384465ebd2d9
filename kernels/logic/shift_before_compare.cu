/*---
description: "A shifted value is compared: the arithmetic shift keeps the sign that the logical one drops."
reference: "https://github.com/SemiAnalysisAI/FuzzX (m010)"
features: [shr.s32, shr.u32, setp.lt.s32, setp.lt.u32]
tags: [published]
covers: [shift-before-compare]
launches:
  - grid: [1, 1, 1]
    block: [6, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [-1, -2147483648, 5, 2147483647, -256, 1, 1, 31, 2, 30, 8, 0, 0, 0, 1,
          1, -1, 1]}
      - {kind: buf, dtype: int32, fill: 0, count: 24}
    expect:
      1: [1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 0, 1]
---*/
extern "C" __global__ void shift_before_compare(const int *in, int *out)
{
    unsigned t = threadIdx.x;
    int a = in[t];
    int n = in[t + 6];
    int k = in[t + 12];
    out[t] = (a >> n) < k;
    out[t + 6] = (int)((unsigned)a >> n) < k;
    out[t + 12] = (unsigned)(a >> n) < (unsigned)k;
    out[t + 18] = ((unsigned)a >> n) == (unsigned)(a >> n);
}
