/*---
description: "Labels sink along edges until nothing changes; the loop ends for all threads at once."
reference: "CUDA C++ Programming Guide, Kernels"
features: [atom.min, bar.red.or, loop until stable]
tags: [algorithm]
launches:
  - grid: [1, 1, 1]
    block: [8, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [0, 3, 1, 6, 7]}
      - {kind: buf, dtype: int32, data: [3, 5, 2, 7, 4]}
      - {kind: buf, dtype: int32, fill: 0, count: 8}
      - {kind: i32, value: 5}
    expect:
      2: [0, 1, 1, 0, 4, 0, 4, 4]
---*/
extern "C" __global__ void connected_components(const int *from, const int *to, int *label, int edges)
{
    __shared__ int name[8];
    int t = threadIdx.x;
    name[t] = t;
    int changed;
    __syncthreads();
    do {
        changed = 0;
        if (t < edges) {
            int a = atomicAdd(&name[from[t]], 0), b = atomicAdd(&name[to[t]], 0);
            if (a < b)
                changed = atomicMin(&name[to[t]], a) > a;
            else if (b < a)
                changed = atomicMin(&name[from[t]], b) > b;
        }
    } while (__syncthreads_or(changed));
    label[t] = name[t];
}
