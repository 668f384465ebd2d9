/*---
description: "Two threads store the two halves of each word in different order."
reference: "PTX ISA, Data Movement: st"
features: [st.global.u16, truncation]
launches:
  - grid: [1, 1, 1]
    block: [8, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [70000, -70000, 1, 65535, 32768, -32769, 5, -1]}
      - {kind: buf, dtype: int16, fill: 0, count: 8}
    expect:
      1: [-4464, 4464, -1, 1, 32767, -32768, -1, 5]
---*/
extern "C" __global__ void half_neighbour_stores(const int *in, short *out)
{
    int t = threadIdx.x;
    out[t ^ 1] = (short)in[t];
}
