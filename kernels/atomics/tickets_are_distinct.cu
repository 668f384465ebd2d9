/*---
description: "The values given back by atomicAdd are 0 to n-1, each once."
reference: "https://github.com/numba/numba/issues/5458"
features: [atom.global.add old value]
tags: [published, bug]
covers: [atomic-old-value]
launches:
  - grid: [3, 1, 1]
    block: [4, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [0]}
      - {kind: buf, dtype: int32, fill: 0, count: 14}
      - {kind: buf, dtype: int32, data: [0]}
    expect:
      0: [12]
      1: [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0]
      2: [506]
---*/
extern "C" __global__ void tickets_are_distinct(int *counter, int *seen, int *sum)
{
    int ticket = atomicAdd(counter, 1);
    seen[ticket] += 1;
    atomicAdd(sum, ticket * ticket);
}
