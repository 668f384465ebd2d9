/*---
description: "Bitonic sort of eight values in shared memory."
reference: "CUDA C++ Programming Guide, Shared Memory"
features: [nested loops with bar.sync, xor, compare and swap]
tags: [published, algorithm]
launches:
  - grid: [1, 1, 1]
    block: [8, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [5, -2, 9, 0, 5, 12, -7, 3]}
    expect:
      0: [-7, -2, 0, 3, 5, 5, 9, 12]
---*/
extern "C" __global__ void bitonic_sort(int *data)
{
    __shared__ int s[8];
    int t = threadIdx.x;
    s[t] = data[t];
    __syncthreads();
    for (int size = 2; size <= 8; size <<= 1) {
        for (int step = size >> 1; step > 0; step >>= 1) {
            int other = t ^ step;
            if (other > t) {
                int a = s[t], b = s[other];
                bool up = (t & size) == 0;
                if ((a > b) == up) {
                    s[t] = b;
                    s[other] = a;
                }
            }
            __syncthreads();
        }
    }
    data[t] = s[t];
}
