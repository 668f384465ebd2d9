/*---
description: "Scalar arguments of 8 to 64 bits arrive with their own sign and width."
reference: "CUDA C++ Programming Guide, __global__ Function Parameters"
features: [ld.param.s8, ld.param.u16, ld.param.u64]
covers: [narrow-load-stale-bits]
launches:
  - grid: [1, 1, 1]
    block: [1, 1, 1]
    args:
      - {kind: buf, dtype: int64, fill: 1, count: 8}
      - {kind: i8, value: -128}
      - {kind: u8, value: 255}
      - {kind: i16, value: -32768}
      - {kind: u16, value: 65535}
      - {kind: i32, value: -2147483648}
      - {kind: u32, value: 4294967295}
      - {kind: i64, value: -9223372036854775808}
      - {kind: u64, value: 18446744073709551615}
    expect:
      0: [-128, 255, -32768, 65535, -2147483648, 4294967295, -9223372036854775808, -1]
  - grid: [1, 1, 1]
    block: [1, 1, 1]
    args:
      - {kind: buf, dtype: int64, fill: 1, count: 8}
      - {kind: i8, value: 127}
      - {kind: u8, value: 128}
      - {kind: i16, value: 32767}
      - {kind: u16, value: 32768}
      - {kind: i32, value: 2147483647}
      - {kind: u32, value: 2147483648}
      - {kind: i64, value: 4294967296}
      - {kind: u64, value: 5}
    expect:
      0: [127, 128, 32767, 32768, 2147483647, 2147483648, 4294967296, 5]
  - grid: [1, 1, 1]
    block: [1, 1, 1]
    args:
      - {kind: buf, dtype: int64, fill: 1, count: 8}
      - {kind: i8, value: -1}
      - {kind: u8, value: 0}
      - {kind: i16, value: -1}
      - {kind: u16, value: 1}
      - {kind: i32, value: -1}
      - {kind: u32, value: 0}
      - {kind: i64, value: -1}
      - {kind: u64, value: 9223372036854775808}
    expect:
      0: [-1, 0, -1, 1, -1, 0, -1, -9223372036854775808]
---*/
extern "C" __global__ void scalar_argument_types(long long *out, signed char a, unsigned char b, short c,
                                                 unsigned short d, int e, unsigned f, long long g,
                                                 unsigned long long h)
{
    out[0] = a;
    out[1] = b;
    out[2] = c;
    out[3] = d;
    out[4] = e;
    out[5] = f;
    out[6] = g;
    out[7] = (long long)h;
}
