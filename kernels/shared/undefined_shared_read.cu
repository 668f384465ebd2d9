/*---
description: "Shared memory that nobody wrote is read: no value is right, and the case says so."
reference: "https://github.com/vosen/ZLUDA/issues/588"
features: [uninitialised shared memory]
tags: [undefined, bug]
covers: [shared-uninitialised]
launches:
  - grid: [1, 1, 1]
    block: [8, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [7, -3, 12, 0, 45, -128, 9, 1]}
      - {kind: buf, dtype: int32, fill: 0, count: 8}
    verdict: UNDEFINED
---*/
extern "C" __global__ void undefined_shared_read(const int *in, int *out)
{
    __shared__ int slot[8];
    int t = threadIdx.x;
    if (t < 4)
        slot[t] = in[t];
    __syncthreads();
    out[t] = slot[7 - t];
}
