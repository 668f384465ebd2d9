/*---
description: "Luhn check digits of four card numbers."
reference: "ISO/IEC 7812-1, annex B"
features: [loop, conditional doubling]
tags: [published, algorithm]
launches:
  - grid: [1, 1, 1]
    block: [4, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [7, 9, 9, 2, 7, 3, 9, 8, 7, 1, 3, 7, 9, 9, 2, 7, 3, 9, 8, 7, 1, 0, 0, 0,
          0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 3]}
      - {kind: buf, dtype: int32, fill: 0, count: 4}
      - {kind: i32, value: 11}
    expect:
      1: [1, 0, 1, 1]
---*/
extern "C" __global__ void luhn_check(const int *digit, int *out, int n)
{
    const int *s = digit + threadIdx.x * n;
    int sum = 0;
    for (int k = 0; k < n; ++k) {
        int v = s[n - 1 - k];
        if (k & 1) {
            v *= 2;
            if (v > 9)
                v -= 9;
        }
        sum += v;
    }
    while (sum >= 10)
        sum -= 10;
    out[threadIdx.x] = sum == 0;
}
