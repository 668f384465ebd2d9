/*---
description: "Values that pass are packed in their order, by a scan of flags."
reference: "CUDA C++ Programming Guide, Shared Memory"
features: [scan, bar.sync, scatter]
tags: [published, algorithm]
launches:
  - grid: [1, 1, 1]
    block: [16, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3]}
      - {kind: buf, dtype: int32, fill: -1, count: 16}
      - {kind: buf, dtype: int32, data: [0]}
    expect:
      1: [5, 9, 6, 5, 5, 8, 9, 7, 9, -1, -1, -1, -1, -1, -1, -1]
      2: [9]
---*/
extern "C" __global__ void stream_compaction(const int *in, int *out, int *count)
{
    __shared__ int place[16];
    int t = threadIdx.x;
    int keep = in[t] > 4;
    place[t] = keep;
    __syncthreads();
    for (int d = 1; d < 16; d <<= 1) {
        int left = t >= d ? place[t - d] : 0;
        __syncthreads();
        place[t] += left;
        __syncthreads();
    }
    if (keep)
        out[place[t] - 1] = in[t];
    if (t == 15)
        count[0] = place[15];
}
