/*---
description: "Values are packed by tickets; only their sum and number are kept, so that the order does not
  show."
reference: "CUDA C++ Programming Guide, Atomic Functions"
features: [atom.shared.add old value, shared compaction]
tags: [published, algorithm]
covers: [atomic-old-value]
launches:
  - grid: [1, 1, 1]
    block: [12, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [4, -1, 0, 6, -2, -3, -4, -5, 1, 2, 3, 9]}
      - {kind: buf, dtype: int32, data: [0, 0]}
    expect:
      1: [6, 250]
---*/
extern "C" __global__ void compact_order_free(const int *in, int *out)
{
    __shared__ int kept[12];
    __shared__ int count;
    int t = threadIdx.x;
    if (t == 0)
        count = 0;
    __syncthreads();
    if (in[t] > 0)
        kept[atomicAdd(&count, 1)] = in[t] * 10;
    __syncthreads();
    if (t == 0) {
        int sum = 0;
        for (int k = 0; k < count; ++k)
            sum += kept[k];
        out[0] = count;
        out[1] = sum;
    }
}
