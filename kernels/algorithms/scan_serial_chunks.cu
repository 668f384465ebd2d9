/*---
description: "Inclusive prefix sums: each thread its chunk, then the chunk totals, then the shifts."
reference: "CUDA C++ Programming Guide, Shared Memory"
features: [bar.sync, loops]
tags: [published, algorithm]
launches:
  - grid: [1, 1, 1]
    block: [4, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3, 7, -3, 12, 0]}
      - {kind: buf, dtype: int32, fill: 0, count: 20}
      - {kind: i32, value: 5}
    expect:
      1: [3, 4, 8, 9, 14, 23, 25, 31, 36, 39, 44, 52, 61, 68, 77, 80, 87, 84, 96, 96]
---*/
extern "C" __global__ void scan_serial_chunks(const int *in, int *out, int each)
{
    __shared__ int total[4];
    int t = threadIdx.x;
    int sum = 0;
    for (int k = 0; k < each; ++k) {
        sum += in[t * each + k];
        out[t * each + k] = sum;
    }
    total[t] = sum;
    __syncthreads();
    int before = 0;
    for (int k = 0; k < t; ++k)
        before += total[k];
    for (int k = 0; k < each; ++k)
        out[t * each + k] += before;
}
