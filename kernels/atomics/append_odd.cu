/*---
description: "A grid-stride loop over a ragged length; the value that atomicAdd gives back hands out distinct
  slots."
reference: "https://github.com/numba/numba/issues/5458"
features: [atom.add old value, grid-stride loop, ragged tail, several blocks]
tags: [published, bug]
covers: [atomic-old-value]
launches:
  - grid: [2, 1, 1]
    block: [4, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [3, 4, -5, 8, 10, 7, 7, -1, 0, 2, 9]}
      - {kind: buf, dtype: int32, data: [0, 1000]}
      - {kind: buf, dtype: int32, fill: 0, count: 11}
      - {kind: i32, value: 11}
    expect:
      1: [6, 1020]
      2: [1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0]
---*/
extern "C" __global__ void append_odd(const int *in, int *count_sum, int *seen, int n)
{
    int step = (int)(gridDim.x * blockDim.x);
#pragma unroll 1
    for (int i = (int)(blockIdx.x * blockDim.x + threadIdx.x); i < n; i += step) {
        int v = in[i];
        if (v & 1) {
            int slot = atomicAdd(&count_sum[0], 1);
            atomicAdd(&count_sum[1], v);
            seen[slot] = seen[slot] + 1;
        }
    }
}
