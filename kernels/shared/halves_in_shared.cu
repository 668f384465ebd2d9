/*---
description: "16-bit shared elements, written once as halves and read back as words."
reference: "PTX ISA, Data Movement: st"
features: [st.shared.u16, ld.shared.u32]
covers: [narrow-load-stale-bits]
launches:
  - grid: [1, 1, 1]
    block: [8, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [1, -1, 65536, 40000, 12345, -2, 32768, 7]}
      - {kind: buf, dtype: uint32, fill: 0, count: 4}
    expect:
      1: [491520, 4294848569, 2621440000, 4294901761]
---*/
extern "C" __global__ void halves_in_shared(const int *in, unsigned *out)
{
    __shared__ __align__(4) unsigned short slot[8];
    int t = threadIdx.x;
    slot[t] = (unsigned short)in[t];
    __syncthreads();
    if (t < 4)
        out[t] = ((const unsigned *)slot)[3 - t];
}
