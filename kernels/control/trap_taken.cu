/*---
description: "One thread reaches a trap: the launch ends with a fault."
reference: "PTX ISA, Miscellaneous Instructions: trap"
features: [trap]
covers: [trap-edge]
launches:
  - grid: [1, 1, 1]
    block: [4, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [1, 2, -3, 4]}
      - {kind: buf, dtype: int32, fill: 0, count: 4}
    fault: trap
---*/
extern "C" __global__ void trap_taken(const int *in, int *out)
{
    unsigned t = threadIdx.x;
    if (in[t] < 0)
        __trap();
    out[t] = in[t];
}
