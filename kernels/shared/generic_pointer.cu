/*---
description: "One pointer that is shared memory for some threads and a buffer for others."
reference: "https://github.com/llvm/llvm-project/issues/89205"
features: [generic ld, generic st, cvta.shared]
tags: [bug]
covers: [address-spaces]
launches:
  - grid: [1, 1, 1]
    block: [8, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [1, 0, 3, 2, 4, 5, 6, 7, 11, 12, 13, 14, 15, 16, 17, 18]}
      - {kind: buf, dtype: int32, fill: 0, count: 16}
    expect:
      0: [1, 0, 3, 2, 4, 5, 6, 7, 11, -1, 13, -3, -4, 16, -6, 18]
      1: [1, 13, 201, 15, 16, 501, 18, 701, -7, 600, -5, 400, 300, -2, 100, 0]
---*/
extern "C" __global__ void generic_pointer(int *data, int *out)
{
    __shared__ int mine[8];
    int t = threadIdx.x;
    mine[t] = t * 100;
    __syncthreads();
    int *p = data[t] & 1 ? mine : data + 8;
    out[t] = p[t] + 1;
    p[t] = -t;
    __syncthreads();
    out[t + 8] = mine[7 - t];
}
