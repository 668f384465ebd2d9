/*---
description: "Two halves of shared memory take turns; one barrier a round is enough."
reference: "CUDA C++ Programming Guide, Synchronization Functions"
features: [bar.sync in a loop, alternating buffers]
tags: [published]
launches:
  - grid: [1, 1, 1]
    block: [8, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [7, -3, 12, 0, 45, -128, 9, 1]}
      - {kind: buf, dtype: int32, fill: 0, count: 8}
      - {kind: i32, value: 3}
    expect:
      1: [112, 156, 101, -35, -392, -556, -552, -373]
---*/
extern "C" __global__ void double_buffer(const int *in, int *out, int rounds)
{
    __shared__ int half[16];
    int t = threadIdx.x;
    int from = 0;
    half[t] = in[t];
    __syncthreads();
    for (int k = 0; k < rounds; ++k) {
        int left = t > 0 ? t - 1 : 0;
        int right = t < 7 ? t + 1 : 7;
        half[(from ^ 8) + t] = half[from + t] + half[from + left] + half[from + right];
        from ^= 8;
        __syncthreads();
    }
    out[t] = half[from + t];
}
