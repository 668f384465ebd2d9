/*---
description: "An array of structs with a byte, a half and a word in shared memory."
reference: "CUDA C++ Programming Guide, Shared Memory"
features: [shared structs, st.shared.u8, st.shared.u16]
covers: [narrow-load-stale-bits]
launches:
  - grid: [1, 1, 1]
    block: [6, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [300, -5, 40000, 32766, 0, 255]}
      - {kind: buf, dtype: int32, fill: 0, count: 6}
    expect:
      1: [1015, -4, 131573, 145662, 491, 688]
---*/
struct Cell {
    unsigned char kind;
    short size;
    int value;
};

extern "C" __global__ void struct_in_shared(const int *in, int *out)
{
    __shared__ Cell cell[6];
    int t = threadIdx.x;
    cell[t].value = in[t] * 3;
    cell[t].kind = (unsigned char)in[t];
    cell[t].size = (short)(in[t] + t);
    __syncthreads();
    Cell other = cell[5 - t];
    out[t] = other.value + other.kind * 2 - other.size;
}
