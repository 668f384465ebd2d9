/*---
description: "Dot product with the products in shared memory, summed by one thread."
reference: "CUDA C++ Programming Guide, Shared Memory"
features: [bar.sync, shared memory, loop]
tags: [published, algorithm]
launches:
  - grid: [1, 1, 1]
    block: [3, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [1, 2, 3]}
      - {kind: buf, dtype: int32, data: [4, 5, 6]}
      - {kind: buf, dtype: int32, data: [0]}
    expect:
      2: [32]
  - grid: [1, 1, 1]
    block: [4, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [1, 2, 3, -4]}
      - {kind: buf, dtype: int32, data: [4, 5, 6, 7]}
      - {kind: buf, dtype: int32, data: [0]}
    expect:
      2: [4]
---*/
extern "C" __global__ void dot_shared(const int *a, const int *b, int *out)
{
    __shared__ int product[4];
    int t = threadIdx.x;
    product[t] = a[t] * b[t];
    __syncthreads();
    if (t == 0) {
        int sum = 0;
        for (int k = 0; k < (int)blockDim.x; ++k)
            sum += product[k];
        out[0] = sum;
    }
}
