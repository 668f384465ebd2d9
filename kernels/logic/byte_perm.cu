/*---
description: "__byte_perm picks any four of eight bytes; only the low three bits of each selector nibble are
  set here."
reference: "CUDA Math API, Integer Intrinsics: __byte_perm"
features: [prmt.b32]
launches:
  - grid: [1, 1, 1]
    block: [8, 1, 1]
    args:
      - {kind: buf, dtype: uint32, data: [857870592, 2164227841, 3735928559, 0, 4294967295, 305419896, 1,
          50462976, 2003195204, 16909060, 3405691582, 4294967295, 0, 2596069104, 2147483648, 117835012, 12816,
          30292, 291, 17767, 21520, 0, 30583, 25632]}
      - {kind: buf, dtype: uint32, fill: 0, count: 8}
    expect:
      1: [857870592, 16909060, 4022250974, 4294967295, 65535, 2021161080, 2155905152, 100925952]
---*/
extern "C" __global__ void byte_perm(const unsigned *in, unsigned *out)
{
    unsigned t = threadIdx.x;
    unsigned a = in[t];
    unsigned b = in[t + 8];
    unsigned s = in[t + 16];
    out[t] = __byte_perm(a, b, s);
}
