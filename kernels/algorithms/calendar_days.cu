/*---
description: "Day numbers of dates in the Gregorian calendar."
reference: "ISO 8601"
features: [div by constants, table-free month arithmetic]
tags: [algorithm]
covers: [mul-hi-wide]
launches:
  - grid: [1, 1, 1]
    block: [6, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [2000, 2, 29, 1900, 3, 1, 2024, 12, 31, 1, 1, 1, 1999, 12, 31, 2026, 10,
          5]}
      - {kind: buf, dtype: int32, fill: 0, count: 6}
    expect:
      1: [730179, 693655, 739251, 1, 730119, 739894]
---*/
extern "C" __global__ void calendar_days(const int *date, int *out)
{
    int t = threadIdx.x;
    int y = date[3 * t], m = date[3 * t + 1], d = date[3 * t + 2];
    if (m < 3) {
        m += 12;
        --y;
    }
    out[t] = 365 * y + y / 4 - y / 100 + y / 400 + (153 * m - 457) / 5 + d - 306;
}
