/*---
description: "Levenshtein distance, one anti-diagonal of the table a round."
reference: "Wagner and Fischer, Journal of the ACM 21 (1974)"
features: [bar.sync in a loop, min, moving active range]
tags: [published, algorithm]
launches:
  - grid: [1, 1, 1]
    block: [7, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [107, 105, 116, 116, 101, 110]}
      - {kind: buf, dtype: int32, data: [115, 105, 116, 116, 105, 110, 103]}
      - {kind: buf, dtype: int32, fill: 0, count: 56}
      - {kind: i32, value: 7}
      - {kind: i32, value: 8}
    expect:
      2: [0, 1, 2, 3, 4, 5, 6, 7, 1, 1, 2, 3, 4, 5, 6, 7, 2, 2, 1, 2, 3, 4, 5, 6, 3, 3, 2, 1, 2, 3, 4, 5, 4, 4,
          3, 2, 1, 2, 3, 4, 5, 5, 4, 3, 2, 2, 3, 4, 6, 6, 5, 4, 3, 3, 2, 3]
---*/
extern "C" __global__ void edit_distance_wavefront(const int *a, const int *b, int *table, int rows, int cols)
{
    int i = threadIdx.x;
    #pragma unroll 1
    for (int round = 0; round < rows + cols - 1; ++round) {
        int j = round - i;
        if (i < rows && j >= 0 && j < cols) {
            int at = i * cols + j;
            if (i == 0 || j == 0) {
                table[at] = i + j;
            } else {
                int best = table[at - cols - 1] + (a[i - 1] != b[j - 1]);
                best = min(best, table[at - cols] + 1);
                table[at] = min(best, table[at - 1] + 1);
            }
        }
        __syncthreads();
    }
}
