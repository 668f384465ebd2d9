/*---
description: "x runs fastest when the threads of a 2D block are put in line, so a segment of four lanes spans
  two rows."
reference: "https://github.com/shader-slang/slang/pull/10784"
features: [tid.y, ctaid.y, 2D block, 2D grid, shfl.sync.down width 4]
tags: [published, bug]
covers: [block-linearisation, shfl-width-segment]
launches:
  - grid: [2, 2, 1]
    block: [2, 4, 1]
    args:
      - {kind: buf, dtype: int32, data: [1, 8, 15, 22, 29, 36, 43, 50, 7, 14, 21, 28, 35, 42, 49, 6, 13, 20, 27,
          34, 41, 48, 5, 12, 19, 26, 33, 40, 47, 4, 11, 18]}
      - {kind: buf, dtype: int32, fill: 0, count: 32}
    expect:
      1: [8000, 15100, 22010, 22110, 36020, 43120, 50030, 50130, 14001, 21101, 28011, 28111, 42021, 49121, 6031,
          6131, 20002, 27102, 34012, 34112, 48022, 5122, 12032, 12132, 26003, 33103, 40013, 40113, 4023, 11123,
          18033, 18133]
---*/
extern "C" __global__ void linear_id_2d(const int *in, int *out)
{
    unsigned line = threadIdx.y * blockDim.x + threadIdx.x;
    unsigned blk = blockIdx.y * gridDim.x + blockIdx.x;
    unsigned g = blk * (blockDim.x * blockDim.y) + line;
    int next = __shfl_down_sync(0xffffffffu, in[g], 1, 4);
    out[g] = next * 1000 + (int)(threadIdx.x * 100u + threadIdx.y * 10u + blk);
}
