/*---
description: "Loads through the read-only path give what plain loads give."
reference: "CUDA C++ Programming Guide, Read-Only Data Cache Load Function"
features: [ld.global.nc]
launches:
  - grid: [1, 1, 1]
    block: [8, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [7, -3, 12, 0, 45, -128, 9, 1]}
      - {kind: buf, dtype: int16, data: [1, -1, 2, -2, 300, -300, 0, 7]}
      - {kind: buf, dtype: int32, fill: 0, count: 8}
    expect:
      2: [8, 12, -104, 45, 13500, 38412, -3, 14]
---*/
extern "C" __global__ void readonly_loads(const int *__restrict__ in, const short *__restrict__ small,
                                          int *__restrict__ out)
{
    int t = threadIdx.x;
    out[t] = __ldg(&in[7 - t]) + in[t] * __ldg(&small[t]);
}
