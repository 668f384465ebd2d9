/*---
description: "A device function works on shared or global memory through its pointer argument."
reference: "CUDA C++ Programming Guide, Address Space Qualifiers"
features: [inlined function, address space by call site]
covers: [address-spaces]
launches:
  - grid: [1, 1, 1]
    block: [4, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [1, 2, 3, 4]}
      - {kind: buf, dtype: int32, fill: 0, count: 4}
    expect:
      0: [21, 22, 23, 24]
      1: [34, 34, 34, 34]
---*/
__device__ static void bump(int *where, int at, int by)
{
    where[at] += by;
}

extern "C" __global__ void shared_pointer_argument(int *data, int *out)
{
    __shared__ int mine[4];
    int t = threadIdx.x;
    mine[t] = t;
    bump(mine, t, 10);
    bump(data, 3 - t, 20);
    __syncthreads();
    out[t] = mine[3 - t] + data[t];
}
