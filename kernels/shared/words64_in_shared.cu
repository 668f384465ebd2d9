/*---
description: "64-bit shared elements: differences of neighbours."
reference: "PTX ISA, Data Movement: ld"
features: [ld.shared.u64, st.shared.u64, sub.s64]
launches:
  - grid: [1, 1, 1]
    block: [8, 1, 1]
    args:
      - {kind: buf, dtype: uint64, data: [1099511627777, 18446744073709551615, 18445618173802708992, 5,
          9223372036854775807, 9223372036854775808, 4294967296, 18446744069414584320]}
      - {kind: buf, dtype: uint64, fill: 0, count: 8}
    expect:
      1: [18446742974197923838, 18445618173802708993, 1125899906842629, 9223372036854775802, 1,
          9223372041149743104, 18446744065119617024, 1103806595073]
---*/
extern "C" __global__ void words64_in_shared(const unsigned long long *in, unsigned long long *out)
{
    __shared__ unsigned long long slot[8];
    int t = threadIdx.x;
    slot[t] = in[t];
    __syncthreads();
    out[t] = slot[(t + 1) & 7] - slot[t];
}
