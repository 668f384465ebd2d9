/*---
description: "Differences of pointers count elements of their type, and can be negative."
reference: "PTX ISA, Data Movement: cvta"
features: [sub.s64, shr.s64, cvt.u32.u64]
launches:
  - grid: [1, 1, 1]
    block: [4, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [0, 7, 3, 4, 0, 0, 0, 0]}
      - {kind: buf, dtype: int64, fill: 0, count: 8}
      - {kind: buf, dtype: int32, fill: 0, count: 12}
    expect:
      2: [-4, 3, -1, 0, -2, 5, 1, 2, 0, 1, 0, 1]
---*/
extern "C" __global__ void pointer_difference(const int *in, const long long *wide, int *out)
{
    int t = threadIdx.x;
    const int *p = in + in[t];
    const long long *w = wide + in[t];
    out[t] = (int)(p - (in + 4));
    out[t + 4] = (int)(w - (wide + 2));
    out[t + 8] = p > in + 3;
}
