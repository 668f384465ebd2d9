/*---
description: "Scalar parameters of every size are read with their own sign."
reference: "PTX ISA, State Spaces: .param"
features: [ld.param.s8, ld.param.u16, ld.param.u64]
covers: [host-integer-range]
launches:
  - grid: [1, 1, 1]
    block: [1, 1, 1]
    args:
      - {kind: i8, value: -1}
      - {kind: u8, value: 255}
      - {kind: i16, value: -2}
      - {kind: u16, value: 65534}
      - {kind: i32, value: -3}
      - {kind: u32, value: 4294967293}
      - {kind: i64, value: -4}
      - {kind: buf, dtype: int64, fill: 0, count: 7}
    expect:
      7: [-1, 255, -2, 65534, -3, 4294967293, -4]
  - grid: [1, 1, 1]
    block: [1, 1, 1]
    args:
      - {kind: i8, value: 127}
      - {kind: u8, value: 128}
      - {kind: i16, value: 32767}
      - {kind: u16, value: 32768}
      - {kind: i32, value: 2147483647}
      - {kind: u32, value: 2147483648}
      - {kind: i64, value: 4611686018427387905}
      - {kind: buf, dtype: int64, fill: 0, count: 7}
    expect:
      7: [127, 128, 32767, 32768, 2147483647, 2147483648, 4611686018427387905]
---*/
extern "C" __global__ void scalar_parameter_sizes(signed char a, unsigned char b, short c, unsigned short d,
                                                  int e, unsigned f, long long g, long long *out)
{
    out[0] = a;
    out[1] = b;
    out[2] = c;
    out[3] = d;
    out[4] = e;
    out[5] = f;
    out[6] = g;
}
