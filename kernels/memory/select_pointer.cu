/*---
description: "One of two buffers is chosen by a value; the address itself is what is selected."
reference: "CUDA C++ Programming Guide, Device Memory Accesses"
features: [selp.b64, ld through selected address]
tags: [published]
launches:
  - grid: [1, 1, 1]
    block: [8, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [1, 2, 3, 4, 5, 6, 7, 8]}
      - {kind: buf, dtype: int32, data: [100, 200, 300, 400, 500, 600, 700, 800]}
      - {kind: buf, dtype: int32, data: [1, 0, -1, 5, 0, 0, 9, -9]}
      - {kind: buf, dtype: int32, fill: 0, count: 8}
    expect:
      3: [9, 900, 900, 9, 900, 900, 9, 900]
---*/
extern "C" __global__ void select_pointer(const int *a, const int *b, const int *pick, int *out)
{
    int t = threadIdx.x;
    const int *from = pick[t] > 0 ? a : b;
    out[t] = from[t] + from[7 - t];
}
