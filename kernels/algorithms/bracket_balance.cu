/*---
description: "Whether brackets match, with the stack of open ones in a word."
reference: "CUDA C++ Programming Guide, Kernels"
features: [shl, shr, divergent loop]
tags: [published, algorithm]
launches:
  - grid: [1, 1, 1]
    block: [4, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [40, 91, 40, 41, 93, 41, 40, 93, 41, 32, 32, 32, 40, 40, 40, 41, 41,
          120, 97, 91, 98, 93, 99, 32]}
      - {kind: buf, dtype: int32, fill: 0, count: 4}
      - {kind: i32, value: 6}
    expect:
      1: [1, 0, 0, 1]
---*/
extern "C" __global__ void bracket_balance(const int *text, int *out, int n)
{
    const int *s = text + threadIdx.x * n;
    unsigned stack = 1;
    int ok = 1;
    for (int k = 0; k < n && ok; ++k) {
        int c = s[k];
        if (c == '(' || c == '[') {
            stack = stack << 1 | (c == '[');
        } else if (c == ')' || c == ']') {
            ok = stack > 1 && (stack & 1) == (c == ']' ? 1u : 0u);
            stack >>= 1;
        }
    }
    out[threadIdx.x] = ok && stack == 1;
}
