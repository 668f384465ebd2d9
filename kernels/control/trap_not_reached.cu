/*---
description: "A branch that would trap is taken by no thread: the trap's block must not be executed, nor
  disturb what joins after it."
reference: "https://github.com/JuliaGPU/CUDA.jl/issues/1746"
features: [trap, bra]
covers: [trap-edge]
launches:
  - grid: [1, 1, 1]
    block: [8, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [3, -1, 0, 7, -2147483648, 1, 2, 5]}
      - {kind: buf, dtype: int32, fill: 0, count: 8}
      - {kind: i32, value: 8}
    expect:
      1: [7, -1, 0, 5, -2147483648, -1, 0, 1]
---*/
extern "C" __global__ void trap_not_reached(const int *in, int *out, int n)
{
    int t = (int)threadIdx.x;
    int v = in[t];
    if (v > 0) {
        if (v >= n)
            __trap();
        v = in[v];
    }
    out[t] = v;
}
