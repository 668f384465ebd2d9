/*---
description: "__sad compares as signed numbers, __usad as unsigned; both add the absolute difference to the
  third operand."
reference: "CUDA Math API, Integer Intrinsics: __sad, __usad"
features: [sad.s32, sad.u32]
covers: [rem-slct-sad-types]
launches:
  - grid: [1, 1, 1]
    block: [6, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [0, -1, 1, 100, -100, -2147483648, 0, 1, -1, -100, 100, -1, 5, 5, 5,
          -200, 7, 1]}
      - {kind: buf, dtype: int32, fill: 0, count: 12}
    expect:
      1: [5, 7, 7, 0, 207, -2147483648, 5, 3, 3, -400, -193, -2147483648]
---*/
extern "C" __global__ void sad_intrinsics(const int *in, int *out)
{
    unsigned t = threadIdx.x;
    int a = in[t];
    int b = in[t + 6];
    int c = in[t + 12];
    out[t] = (int)__sad(a, b, (unsigned)c);
    out[t + 6] = (int)__usad((unsigned)a, (unsigned)b, (unsigned)c);
}
