/*---
description: "Bit-field members: the signed one is sign-extended when read, writing one leaves its neighbours
  alone."
reference: "ISO C++17, [class.bit]"
features: [bfe.s32, bfe.u32, bfi.b32]
covers: [bfe-bfi-range]
launches:
  - grid: [1, 1, 1]
    block: [4, 1, 1]
    args:
      - {kind: buf, dtype: uint32, data: [0, 4294967295, 2147483648, 305419896, 4294967295, 0, 5, 4294967283]}
      - {kind: buf, dtype: int32, fill: 0, count: 12}
    expect:
      1: [-1, 0, 5, -13, 0, 2047, 0, 691, 0, -1, -32768, 4660]
---*/
extern "C" __global__ void bit_field_members(const unsigned *in, int *out)
{
    unsigned t = threadIdx.x;
    unsigned a = in[t];
    unsigned b = in[t + 4];
    struct Fields {
        int low : 5;
        unsigned mid : 11;
        int high : 16;
    } f;
    f.low = (int)(b << 27) >> 27;
    f.mid = (a >> 5) & 0x7ffu;
    f.high = (short)(a >> 16);
    out[t] = f.low;
    out[t + 4] = (int)f.mid;
    out[t + 8] = f.high;
}
