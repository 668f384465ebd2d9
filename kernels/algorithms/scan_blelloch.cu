/*---
description: "Exclusive prefix sums by an up-sweep and a down-sweep."
reference: "CUDA C++ Programming Guide, Shared Memory"
features: [bar.sync in two loops, shl, mul]
tags: [published, algorithm]
launches:
  - grid: [1, 1, 1]
    block: [4, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [7, -3, 12, 0, 45, -128, 9, 1]}
      - {kind: buf, dtype: int32, fill: 0, count: 8}
    expect:
      1: [0, 7, 4, 16, 16, 61, -67, -58]
---*/
extern "C" __global__ void scan_blelloch(const int *in, int *out)
{
    __shared__ int s[8];
    int t = threadIdx.x;
    s[2 * t] = in[2 * t];
    s[2 * t + 1] = in[2 * t + 1];
    int d = 1;
    for (int n = 4; n > 0; n >>= 1) {
        __syncthreads();
        if (t < n)
            s[d * (2 * t + 2) - 1] += s[d * (2 * t + 1) - 1];
        d <<= 1;
    }
    if (t == 0)
        s[7] = 0;
    for (int n = 1; n < 8; n <<= 1) {
        d >>= 1;
        __syncthreads();
        if (t < n) {
            int low = d * (2 * t + 1) - 1, high = d * (2 * t + 2) - 1;
            int v = s[low];
            s[low] = s[high];
            s[high] += v;
        }
    }
    __syncthreads();
    out[2 * t] = s[2 * t];
    out[2 * t + 1] = s[2 * t + 1];
}
