/*---
description: "Twenty-four values live around a loop: more than fifteen registers hold."
reference: "ISO C++17, [stmt.for]"
features: [register pressure, loop]
tags: [oversize]
launches:
  - grid: [1, 1, 1]
    block: [4, 1, 1]
    args:
      - {kind: buf, dtype: uint32, data: [0, 1, 2, 3]}
      - {kind: buf, dtype: uint32, fill: 0, count: 4}
    expect:
      1: [297867668, 3194034472, 864154484, 3064343872]
---*/
extern "C" __global__ void register_pressure(const unsigned *in, unsigned *out)
{
    unsigned t = threadIdx.x;
    unsigned a = in[t];
    unsigned v0 = a * 1u + 0u;
    unsigned v1 = a * 2u + 1u;
    unsigned v2 = a * 3u + 4u;
    unsigned v3 = a * 4u + 9u;
    unsigned v4 = a * 5u + 16u;
    unsigned v5 = a * 6u + 25u;
    unsigned v6 = a * 7u + 36u;
    unsigned v7 = a * 8u + 49u;
    unsigned v8 = a * 9u + 64u;
    unsigned v9 = a * 10u + 81u;
    unsigned v10 = a * 11u + 100u;
    unsigned v11 = a * 12u + 121u;
    unsigned v12 = a * 13u + 144u;
    unsigned v13 = a * 14u + 169u;
    unsigned v14 = a * 15u + 196u;
    unsigned v15 = a * 16u + 225u;
    unsigned v16 = a * 17u + 256u;
    unsigned v17 = a * 18u + 289u;
    unsigned v18 = a * 19u + 324u;
    unsigned v19 = a * 20u + 361u;
    unsigned v20 = a * 21u + 400u;
    unsigned v21 = a * 22u + 441u;
    unsigned v22 = a * 23u + 484u;
    unsigned v23 = a * 24u + 529u;
    #pragma unroll 1
    for (unsigned r = 0; r < (a & 3u); ++r) {
        unsigned w0 = v0 ^ v7;
        unsigned w1 = v1 + v6 * (r + 1u);
        unsigned w2 = v2 ^ v9;
        unsigned w3 = v3 + v8 * (r + 1u);
        unsigned w4 = v4 ^ v11;
        unsigned w5 = v5 + v10 * (r + 1u);
        unsigned w6 = v6 ^ v13;
        unsigned w7 = v7 + v12 * (r + 1u);
        unsigned w8 = v8 ^ v15;
        unsigned w9 = v9 + v14 * (r + 1u);
        unsigned w10 = v10 ^ v17;
        unsigned w11 = v11 + v16 * (r + 1u);
        unsigned w12 = v12 ^ v19;
        unsigned w13 = v13 + v18 * (r + 1u);
        unsigned w14 = v14 ^ v21;
        unsigned w15 = v15 + v20 * (r + 1u);
        unsigned w16 = v16 ^ v23;
        unsigned w17 = v17 + v22 * (r + 1u);
        unsigned w18 = v18 ^ v1;
        unsigned w19 = v19 + v0 * (r + 1u);
        unsigned w20 = v20 ^ v3;
        unsigned w21 = v21 + v2 * (r + 1u);
        unsigned w22 = v22 ^ v5;
        unsigned w23 = v23 + v4 * (r + 1u);
        v0 = w0;
        v1 = w1;
        v2 = w2;
        v3 = w3;
        v4 = w4;
        v5 = w5;
        v6 = w6;
        v7 = w7;
        v8 = w8;
        v9 = w9;
        v10 = w10;
        v11 = w11;
        v12 = w12;
        v13 = w13;
        v14 = w14;
        v15 = w15;
        v16 = w16;
        v17 = w17;
        v18 = w18;
        v19 = w19;
        v20 = w20;
        v21 = w21;
        v22 = w22;
        v23 = w23;
    }
    unsigned h = 0;
    h = h * 31u + v0;
    h = h * 31u + v1;
    h = h * 31u + v2;
    h = h * 31u + v3;
    h = h * 31u + v4;
    h = h * 31u + v5;
    h = h * 31u + v6;
    h = h * 31u + v7;
    h = h * 31u + v8;
    h = h * 31u + v9;
    h = h * 31u + v10;
    h = h * 31u + v11;
    h = h * 31u + v12;
    h = h * 31u + v13;
    h = h * 31u + v14;
    h = h * 31u + v15;
    h = h * 31u + v16;
    h = h * 31u + v17;
    h = h * 31u + v18;
    h = h * 31u + v19;
    h = h * 31u + v20;
    h = h * 31u + v21;
    h = h * 31u + v22;
    h = h * 31u + v23;
    out[t] = h;
}
