/*---
description: "Launch-sized memory is divided by hand into words and bytes."
reference: "CUDA C++ Programming Guide, Shared Memory"
features: [dynamic shared memory, pointer cast, st.shared.u8]
covers: [dynamic-static-shared, narrow-load-stale-bits]
launches:
  - grid: [1, 1, 1]
    block: [8, 1, 1]
    smem: 40
    args:
      - {kind: buf, dtype: int32, data: [7, -3, 12, 0, 45, -128, 9, 1]}
      - {kind: buf, dtype: int32, fill: 0, count: 8}
      - {kind: i32, value: 8}
    expect:
      1: [10007, 90063, 1279104, 450315, 0, 120084, 2529979, 70049]
---*/
extern "C" __global__ void dynamic_two_types(const int *in, int *out, int words)
{
    extern __shared__ int pool[];
    unsigned char *bytes = (unsigned char *)(pool + words);
    int t = threadIdx.x;
    pool[t] = in[t] * 7;
    bytes[7 - t] = (unsigned char)in[t];
    __syncthreads();
    out[t] = pool[7 - t] + bytes[t] * 10000;
}
