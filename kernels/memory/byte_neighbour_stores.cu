/*---
description: "Each thread stores one byte of a word that it shares with its neighbours; no neighbour is lost."
reference: "PTX ISA, Data Movement: st"
features: [st.global.u8, truncation]
covers: [narrow-load-stale-bits]
launches:
  - grid: [1, 1, 1]
    block: [10, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [300, -1, 128, 255, 256, -129, 65, 511, 1000, 7]}
      - {kind: buf, dtype: uint8, fill: 170, count: 12}
    expect:
      1: [170, 44, 255, 128, 255, 0, 127, 65, 255, 232, 7, 170]
---*/
extern "C" __global__ void byte_neighbour_stores(const int *in, unsigned char *out)
{
    int t = threadIdx.x;
    out[t + 1] = (unsigned char)in[t];
}
