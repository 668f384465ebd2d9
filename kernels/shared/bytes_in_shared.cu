/*---
description: "Byte-sized shared elements of neighbouring threads share words."
reference: "PTX ISA, Data Movement: st"
features: [st.shared.u8, ld.shared.s8, ld.shared.u8]
covers: [narrow-load-stale-bits]
launches:
  - grid: [1, 1, 1]
    block: [12, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [0, 127, 128, 255, 256, -1, -128, -129, 77, 1000, 65, 3]}
      - {kind: buf, dtype: int32, fill: 0, count: 12}
    expect:
      1: [3000, 65127, -23872, 77255, 127000, -127745, -872, 127, -923, -127768, 127065, 3]
---*/
extern "C" __global__ void bytes_in_shared(const int *in, int *out)
{
    __shared__ signed char slot[12];
    int t = threadIdx.x;
    slot[t] = (signed char)in[t];
    __syncthreads();
    const unsigned char *raw = (const unsigned char *)slot;
    out[t] = slot[11 - t] * 1000 + raw[t];
}
