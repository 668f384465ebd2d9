/*---
description: "Gray codes, their inverse, and the bit that changes next."
reference: "Knuth, The Art of Computer Programming 4A, 7.2.1.1"
features: [shr.u32, xor, loop]
tags: [published, algorithm]
launches:
  - grid: [1, 1, 1]
    block: [4, 1, 1]
    args:
      - {kind: buf, dtype: uint32, data: [0, 11, 4294967295, 1234567890]}
      - {kind: buf, dtype: uint32, fill: 0, count: 12}
    expect:
      1: [0, 14, 2147483648, 1834812347, 0, 11, 4294967295, 1234567890, 1, 4, 2147483648, 1]
---*/
extern "C" __global__ void gray_code_walk(const unsigned *in, unsigned *out)
{
    int t = threadIdx.x;
    unsigned n = in[t];
    unsigned gray = n ^ (n >> 1);
    unsigned back = gray;
    for (int s = 1; s < 32; s <<= 1)
        back ^= back >> s;
    out[t] = gray;
    out[t + 4] = back;
    out[t + 8] = gray ^ ((n + 1) ^ ((n + 1) >> 1));
}
