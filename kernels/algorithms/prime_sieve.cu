/*---
description: "Sieve of Eratosthenes: one thread a stride, words as flags, equal stores by several threads are
  atomic."
reference: "Nicomachus, Introduction to Arithmetic, I.13"
features: [strided stores, atom.or, nested loops]
tags: [algorithm]
launches:
  - grid: [1, 1, 1]
    block: [6, 1, 1]
    args:
      - {kind: buf, dtype: int32, fill: 0, count: 60}
      - {kind: i32, value: 60}
    expect:
      0: [0, 0, 0, 0, 1, 0, 1, 0, 1, 1, 1, 0, 1, 0, 1, 1, 1, 0, 1, 0, 1, 1, 1, 0, 1, 1, 1, 1, 1, 0, 1, 0, 1, 1,
          1, 1, 1, 0, 1, 1, 1, 0, 1, 0, 1, 1, 1, 0, 1, 1, 1, 1, 1, 0, 1, 1, 1, 1, 1, 0]
---*/
extern "C" __global__ void prime_sieve(int *composite, int n)
{
    int p = threadIdx.x + 2;
    for (int m = p * p; m < n; m += p)
        atomicOr(&composite[m], 1);
}
