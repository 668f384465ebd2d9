/*---
description: "Prefix sums that begin anew at every flag."
reference: "CUDA C++ Programming Guide, Shared Memory"
features: [bar.sync, flags in shared memory]
tags: [published, algorithm]
launches:
  - grid: [1, 1, 1]
    block: [8, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [7, -3, 12, 0, 45, -128, 9, 1]}
      - {kind: buf, dtype: int32, data: [1, 0, 0, 1, 0, 1, 1, 0]}
      - {kind: buf, dtype: int32, fill: 0, count: 8}
    expect:
      2: [7, 4, 16, 0, 45, -128, 9, 10]
---*/
extern "C" __global__ void segmented_sum(const int *in, const int *head, int *out)
{
    __shared__ int s[8], f[8];
    int t = threadIdx.x;
    s[t] = in[t];
    f[t] = head[t];
    __syncthreads();
    for (int d = 1; d < 8; d <<= 1) {
        int sum = s[t], flag = f[t];
        if (t >= d && !flag) {
            sum += s[t - d];
            flag = f[t - d];
        }
        __syncthreads();
        s[t] = sum;
        f[t] = flag;
        __syncthreads();
    }
    out[t] = s[t];
}
