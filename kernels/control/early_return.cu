/*---
description: "Threads beyond the end return at once; their words stay as they were. The last warp is partly
  empty."
reference: "ISO C++17, [stmt.return]"
features: [ret, bra]
tags: [published]
launches:
  - grid: [1, 1, 1]
    block: [10, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [0, -1, -2147483648, 2147483647, 5, 6, 7, 8, 9, 10]}
      - {kind: buf, dtype: int32, fill: 77, count: 10}
      - {kind: i32, value: 7}
    expect:
      1: [-1, 0, 2147483647, -2147483648, -6, -7, -8, 77, 77, 77]
  - grid: [3, 1, 1]
    block: [4, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [0, -1, -2147483648, 2147483647, 5, 6, 7, 8, 9, 10]}
      - {kind: buf, dtype: int32, fill: 77, count: 10}
      - {kind: i32, value: 10}
    expect:
      1: [-1, 0, 2147483647, -2147483648, -6, -7, -8, -9, -10, -11]
  - grid: [1, 1, 1]
    block: [4, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [0, -1, -2147483648, 2147483647, 5, 6, 7, 8, 9, 10]}
      - {kind: buf, dtype: int32, fill: 77, count: 10}
      - {kind: i32, value: 0}
    expect:
      1: [77, 77, 77, 77, 77, 77, 77, 77, 77, 77]
---*/
extern "C" __global__ void early_return(const int *in, int *out, int n)
{
    int t = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (t >= n)
        return;
    out[t] = in[t] ^ -1;
}
