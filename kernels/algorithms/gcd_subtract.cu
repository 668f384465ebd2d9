/*---
description: "Greatest common divisors by subtraction alone."
reference: "Euclid, Elements, VII.2"
features: [sub, divergent loop with two arms]
tags: [published, algorithm]
launches:
  - grid: [1, 1, 1]
    block: [4, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [48, 17, 9, 27]}
      - {kind: buf, dtype: int32, data: [36, 5, 9, 192]}
      - {kind: buf, dtype: int32, fill: 0, count: 4}
    expect:
      2: [12, 1, 9, 3]
---*/
extern "C" __global__ void gcd_subtract(const int *a, const int *b, int *out)
{
    int t = threadIdx.x;
    int x = a[t], y = b[t];
    while (x != y) {
        if (x > y)
            x -= y;
        else
            y -= x;
    }
    out[t] = x;
}
