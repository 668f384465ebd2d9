/*---
description: "An array of structs of three words: fields lie at offsets 0, 4 and 8, elements at a stride of 12."
reference: "CUDA C++ Programming Guide, Device Memory Accesses"
features: [address offset, mul.wide by 12]
tags: [published]
launches:
  - grid: [1, 1, 1]
    block: [4, 1, 1]
    args:
      - {kind: buf, dtype: int32, data: [1, 2, 3, 4, 5, 6, -7, 8, -9, 10, 0, 10]}
      - {kind: buf, dtype: int32, fill: 77, count: 12}
    expect:
      1: [5, 77, 1, 11, 77, 4, -1, 77, -7, 10, 77, 10]
---*/
struct Point {
    int x, y, z;
};

extern "C" __global__ void struct_of_words(const Point *in, Point *out)
{
    int t = threadIdx.x;
    Point p = in[t];
    out[t].x = p.y + p.z;
    out[t].z = p.x;
}
