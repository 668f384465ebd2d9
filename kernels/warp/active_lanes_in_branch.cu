/*---
description: "Inside a branch the active mask holds the own lane and none of the other arm's."
reference: "https://github.com/ComputationalRadiationPhysics/picongpu/issues/2514"
features: [activemask]
tags: [bug]
covers: [activemask-ballot]
launches:
  - grid: [1, 1, 1]
    block: [4, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [0, 5, -1, 7]}
      - {kind: buf, dtype: int32, fill: 0, count: 4}
    expect:
      1: [22, 11, 22, 11]
---*/
extern "C" __global__ void active_lanes_in_branch(const int *in, int *out)
{
    int t = threadIdx.x;
    int ok;
    if (in[t] > 0) {
        unsigned m = __activemask();
        ok = ((m >> t) & 1u) * 10 + ((m & 0x5u) == 0 ? 1 : 0);
    } else {
        unsigned m = __activemask();
        ok = ((m >> t) & 1u) * 20 + ((m & 0xau) == 0 ? 2 : 0);
    }
    out[t] = ok;
}
