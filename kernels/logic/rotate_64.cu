/*---
description: "64-bit rotation by counts on both sides of 32."
reference: "Warren, Hacker's Delight, 2-15"
features: [shl.b64, shr.u64, or.b64]
covers: [funnel-shift]
launches:
  - grid: [1, 1, 1]
    block: [4, 1, 1]
    args:
      - {kind: buf, dtype: uint64, data: [1, 9223372036854775809, 1311768467463790320, 4294967295, 0, 63, 36,
          32]}
      - {kind: buf, dtype: uint64, fill: 0, count: 4}
    expect:
      1: [1, 13835058055282163712, 12379813738877118345, 18446744069414584320]
---*/
extern "C" __global__ void rotate_64(const unsigned long long *in, unsigned long long *out)
{
    unsigned t = threadIdx.x;
    unsigned long long a = in[t];
    unsigned long long n = in[t + 4];
    out[t] = (a << (n & 63u)) | (a >> (-n & 63u));
}
