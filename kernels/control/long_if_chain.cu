/*---
description: "Forty divergent ifs in a row: more code than 32 program blocks hold."
reference: "ISO C++17, [stmt.if]"
features: [bra, rem.u32]
tags: [oversize]
launches:
  - grid: [1, 1, 1]
    block: [8, 1, 1]
    args:
      - {kind: buf, dtype: uint32, data: [11, 48, 0, 5, 100, 4294967295, 77, 85]}
      - {kind: buf, dtype: uint32, fill: 0, count: 8}
    expect:
      1: [820, 978, 780, 1234, 5354, 3334, 1906, 1532]
---*/
extern "C" __global__ void long_if_chain(const unsigned *in, unsigned *out)
{
    unsigned t = threadIdx.x;
    unsigned a = in[t];
    if (a % 101u == 11u)
        a = a * 3u + 7u;
    else
        a += 0u;
    if (a % 101u == 48u)
        a = a * 4u + 7u;
    else
        a += 1u;
    if (a % 101u == 85u)
        a = a * 5u + 7u;
    else
        a += 2u;
    if (a % 101u == 21u)
        a = a * 6u + 7u;
    else
        a += 3u;
    if (a % 101u == 58u)
        a = a * 7u + 7u;
    else
        a += 4u;
    if (a % 101u == 95u)
        a = a * 8u + 7u;
    else
        a += 5u;
    if (a % 101u == 31u)
        a = a * 9u + 7u;
    else
        a += 6u;
    if (a % 101u == 68u)
        a = a * 10u + 7u;
    else
        a += 7u;
    if (a % 101u == 4u)
        a = a * 11u + 7u;
    else
        a += 8u;
    if (a % 101u == 41u)
        a = a * 12u + 7u;
    else
        a += 9u;
    if (a % 101u == 78u)
        a = a * 13u + 7u;
    else
        a += 10u;
    if (a % 101u == 14u)
        a = a * 14u + 7u;
    else
        a += 11u;
    if (a % 101u == 51u)
        a = a * 15u + 7u;
    else
        a += 12u;
    if (a % 101u == 88u)
        a = a * 16u + 7u;
    else
        a += 13u;
    if (a % 101u == 24u)
        a = a * 17u + 7u;
    else
        a += 14u;
    if (a % 101u == 61u)
        a = a * 18u + 7u;
    else
        a += 15u;
    if (a % 101u == 98u)
        a = a * 19u + 7u;
    else
        a += 16u;
    if (a % 101u == 34u)
        a = a * 20u + 7u;
    else
        a += 17u;
    if (a % 101u == 71u)
        a = a * 21u + 7u;
    else
        a += 18u;
    if (a % 101u == 7u)
        a = a * 22u + 7u;
    else
        a += 19u;
    if (a % 101u == 44u)
        a = a * 23u + 7u;
    else
        a += 20u;
    if (a % 101u == 81u)
        a = a * 24u + 7u;
    else
        a += 21u;
    if (a % 101u == 17u)
        a = a * 25u + 7u;
    else
        a += 22u;
    if (a % 101u == 54u)
        a = a * 26u + 7u;
    else
        a += 23u;
    if (a % 101u == 91u)
        a = a * 27u + 7u;
    else
        a += 24u;
    if (a % 101u == 27u)
        a = a * 28u + 7u;
    else
        a += 25u;
    if (a % 101u == 64u)
        a = a * 29u + 7u;
    else
        a += 26u;
    if (a % 101u == 0u)
        a = a * 30u + 7u;
    else
        a += 27u;
    if (a % 101u == 37u)
        a = a * 31u + 7u;
    else
        a += 28u;
    if (a % 101u == 74u)
        a = a * 32u + 7u;
    else
        a += 29u;
    if (a % 101u == 10u)
        a = a * 33u + 7u;
    else
        a += 30u;
    if (a % 101u == 47u)
        a = a * 34u + 7u;
    else
        a += 31u;
    if (a % 101u == 84u)
        a = a * 35u + 7u;
    else
        a += 32u;
    if (a % 101u == 20u)
        a = a * 36u + 7u;
    else
        a += 33u;
    if (a % 101u == 57u)
        a = a * 37u + 7u;
    else
        a += 34u;
    if (a % 101u == 94u)
        a = a * 38u + 7u;
    else
        a += 35u;
    if (a % 101u == 30u)
        a = a * 39u + 7u;
    else
        a += 36u;
    if (a % 101u == 67u)
        a = a * 40u + 7u;
    else
        a += 37u;
    if (a % 101u == 3u)
        a = a * 41u + 7u;
    else
        a += 38u;
    if (a % 101u == 40u)
        a = a * 42u + 7u;
    else
        a += 39u;
    out[t] = a;
}
