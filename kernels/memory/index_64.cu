/*---
description: "An index computed in 64 bits: the high half matters in between and is gone at the access."
reference: "PTX ISA, Integer Arithmetic Instructions: mad"
features: [mul.wide.s32, add.s64, shr.s64]
launches:
  - grid: [1, 1, 1]
    block: [4, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [100, 101, 102, 103, 104, 105, 106, 107]}
      - {kind: buf, dtype: int32, data: [0, 3, 7, 5]}
      - {kind: buf, dtype: int32, fill: 0, count: 4}
      - {kind: i64, value: 8589946937}
    expect:
      2: [100, 103, 107, 105]
---*/
extern "C" __global__ void index_64(const int *in, const int *key, int *out, long long scale)
{
    int t = threadIdx.x;
    long long at = (long long)key[t] * scale;
    out[t] = in[at >> 33];
}
