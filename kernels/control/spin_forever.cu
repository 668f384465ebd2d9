/*---
description: "A loop that no thread leaves: the step limit ends it with a record of the place."
reference: "docs/cases.md, fault: timeout"
features: [loop, timeout]
launches:
  - grid: [1, 1, 1]
    block: [4, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [0]}
      - {kind: buf, dtype: int32, fill: 7, count: 4}
    fault: timeout
    step_limit: 20000
    can_hang_a_gpu: true
---*/
extern "C" __global__ void spin_forever(volatile int *flag, int *out)
{
    int turns = 0;
    while (*flag == 0)
        turns ^= 1;
    out[threadIdx.x] = turns;
}
