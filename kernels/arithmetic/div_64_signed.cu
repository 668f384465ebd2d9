/*---
description: "64-bit signed division truncates toward zero and the remainder takes the dividend's sign."
reference: "PTX ISA, Integer Arithmetic Instructions: div, rem"
features: [div.s64, rem.s64]
covers: [div-rem-edge]
launches:
  - grid: [1, 1, 1]
    block: [8, 1, 1]
    args:
      - {kind: buf, dtype: int64, data: [-7, 7, -9223372036854775808, -9223372036854775808,
          9223372036854775807, -81985529216486895, 5, -1, 2, -2, 3, 1099511627776, -10, 65537,
          -4611686018427387904, 7]}
      - {kind: buf, dtype: int64, fill: 0, count: 16}
    expect:
      1: [-3, -3, -3074457345618258602, -8388608, -922337203685477580, -1250980808039, 0, 0, -1, 1, -2, 0, 7,
        -34952, 5, -1]
---*/
extern "C" __global__ void div_64_signed(const long long *in, long long *out)
{
    unsigned t = threadIdx.x;
    long long a = in[t];
    long long b = in[t + 8];
    out[t] = a / b;
    out[t + 8] = a % b;
}
