/*---
description: "Run-length encoding: heads of runs find their place by counting heads before them."
reference: "CUDA C++ Programming Guide, Kernels"
features: [divergent loop, scatter, atom.add]
tags: [published, algorithm]
launches:
  - grid: [1, 1, 1]
    block: [12, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [5, 5, 5, 2, 7, 7, 0, 0, 0, 0, 5, 5]}
      - {kind: buf, dtype: int32, fill: 0, count: 12}
      - {kind: buf, dtype: int32, fill: 0, count: 12}
      - {kind: buf, dtype: int32, data: [0]}
      - {kind: i32, value: 12}
    expect:
      1: [5, 2, 7, 0, 5, 0, 0, 0, 0, 0, 0, 0]
      2: [3, 1, 2, 4, 2, 0, 0, 0, 0, 0, 0, 0]
      3: [5]
---*/
extern "C" __global__ void run_lengths(const int *in, int *value, int *length, int *runs, int n)
{
    int t = threadIdx.x;
    if (t > 0 && in[t] == in[t - 1])
        return;
    int place = 0;
    for (int k = 1; k <= t; ++k)
        place += in[k] != in[k - 1];
    int end = t + 1;
    while (end < n && in[end] == in[t])
        ++end;
    value[place] = in[t];
    length[place] = end - t;
    atomicAdd(runs, 1);
}
