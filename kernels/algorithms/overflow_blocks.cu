/*---
description: "A small interpreter with sixteen operations, divisions among them: more blocks than the published
  size holds."
reference: "CUDA C++ Programming Guide, Kernels"
features: [switch, div, rem, many basic blocks]
tags: [large]
covers: [switch-fallthrough]
launches:
  - grid: [1, 1, 1]
    block: [8, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [3, 1, 14, 0, 7, 2, 13, 8, 4, 9, 5, 12, 10, 6, 11, 15]}
      - {kind: buf, dtype: int32, data: [9, 100, 0, 77, 1234, 5, 65535, 2]}
      - {kind: buf, dtype: int32, fill: 0, count: 8}
      - {kind: i32, value: 16}
    expect:
      2: [6673048, 4096231, 1860236, 2, 70001, 3675003, 2847128, 510009]
---*/
extern "C" __global__ void overflow_blocks(const int *code, const int *in, int *out, int n)
{
    int t = threadIdx.x;
    int a = in[t], b = t + 3;
    for (int k = 0; k < n; ++k) {
        switch ((code[k] + t) & 15) {
        case 0:
            a = (a + b) & 0xffff;
            break;
        case 1:
            a = (a ^ (b << 3)) & 0xffff;
            break;
        case 2:
            b = a / (b + 1) + 2;
            break;
        case 3:
            b = a % (b + 2) + 1;
            break;
        case 4:
            a = (a * 5 + k) & 0x7fff;
            break;
        case 5:
            b = (b * 7 - a) & 0xff;
            break;
        case 6:
            a = a > b ? a - b : b - a;
            break;
        case 7:
            b = (b >> 1) + (a & 15);
            break;
        case 8:
            if (a & 1) b += k;
            else a += k;
            break;
        case 9:
            a = (a << 2 | (a >> 10 & 3)) & 0xfff;
            break;
        case 10:
            b = b / 3 + a % 7 + 1;
            break;
        case 11:
            a = (a & 0x7fff) * (a & 0x7fff) & 0x3fff;
            break;
        case 12:
            b = (~a & 0xff) + 1;
            break;
        case 13:
            for (int j = 0; j < b % 3; ++j) a += j + 1;
            break;
        case 14:
            a = a % 1000 / (k + 1);
            break;
        default:
            a += 1;
            break;
        }
    }
    out[t] = a * 1000 + b;
}
