// What CUDA C++ expects to find predefined, over clang's NVPTX builtins. Force-included before every kernel.
//
// Functions are `nodebug`, so that `.loc` lines name the kernel's own line and not this file's.
#ifndef QWENGPU_CUDA_DEVICE_H
#define QWENGPU_CUDA_DEVICE_H

// ---------------------------------------------------------------------------------------------------------
// Qualifiers

#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __managed__ __attribute__((managed))
#define __forceinline__ __inline__ __attribute__((always_inline))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __align__(n) __attribute__((aligned(n)))
#define __grid_constant__

#ifndef __CUDACC__
#define __CUDACC__ 1
#endif

#include "assert.h"
#include "stddef.h"

#define QWENGPU_FN static __attribute__((device, always_inline, nodebug, unused))

// ---------------------------------------------------------------------------------------------------------
// Vector types (sizes and alignments: CUDA C++ Programming Guide, "Built-in Vector Types")

#define QWENGPU_VECTOR(T, name, a1, a2, a3, a4)                                                            \
    struct __align__(a1) name##1 { T x; };                                                                 \
    struct __align__(a2) name##2 { T x, y; };                                                              \
    struct __align__(a3) name##3 { T x, y, z; };                                                           \
    struct __align__(a4) name##4 { T x, y, z, w; };                                                        \
    QWENGPU_FN name##1 make_##name##1(T x) { return {x}; }                                                 \
    QWENGPU_FN name##2 make_##name##2(T x, T y) { return {x, y}; }                                         \
    QWENGPU_FN name##3 make_##name##3(T x, T y, T z) { return {x, y, z}; }                                 \
    QWENGPU_FN name##4 make_##name##4(T x, T y, T z, T w) { return {x, y, z, w}; }

QWENGPU_VECTOR(signed char, char, 1, 2, 1, 4)
QWENGPU_VECTOR(unsigned char, uchar, 1, 2, 1, 4)
QWENGPU_VECTOR(short, short, 2, 4, 2, 8)
QWENGPU_VECTOR(unsigned short, ushort, 2, 4, 2, 8)
QWENGPU_VECTOR(int, int, 4, 8, 4, 16)
QWENGPU_VECTOR(unsigned int, uint, 4, 8, 4, 16)
QWENGPU_VECTOR(long, long, 8, 16, 8, 16)
QWENGPU_VECTOR(unsigned long, ulong, 8, 16, 8, 16)
QWENGPU_VECTOR(long long, longlong, 8, 16, 8, 16)
QWENGPU_VECTOR(unsigned long long, ulonglong, 8, 16, 8, 16)
#undef QWENGPU_VECTOR

struct dim3 {
    unsigned x, y, z;
    __attribute__((host, device, nodebug)) constexpr dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1)
        : x(x), y(y), z(z) {}
    __attribute__((host, device, nodebug)) constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
    __attribute__((host, device, nodebug)) constexpr operator uint3() const { return {x, y, z}; }
};

// ---------------------------------------------------------------------------------------------------------
// Special registers

#define QWENGPU_GETTER(field, sreg)                                                                        \
    static inline __attribute__((device, always_inline, nodebug)) unsigned get_##field() {                 \
        return __nvvm_read_ptx_sreg_##sreg();                                                              \
    }                                                                                                      \
    __declspec(property(get = get_##field)) unsigned field;

#define QWENGPU_SPECIAL(name, sreg, type)                                                                  \
    struct qwengpu_##name {                                                                                \
        QWENGPU_GETTER(x, sreg##_x)                                                                        \
        QWENGPU_GETTER(y, sreg##_y)                                                                        \
        QWENGPU_GETTER(z, sreg##_z)                                                                        \
        __attribute__((device, always_inline, nodebug)) operator type() const {                            \
            return {get_x(), get_y(), get_z()};                                                            \
        }                                                                                                  \
        qwengpu_##name() = delete;                                                                         \
        qwengpu_##name(const qwengpu_##name &) = delete;                                                   \
    };                                                                                                     \
    extern const __attribute__((device, weak)) qwengpu_##name name;

QWENGPU_SPECIAL(threadIdx, tid, uint3)
QWENGPU_SPECIAL(blockIdx, ctaid, uint3)
QWENGPU_SPECIAL(blockDim, ntid, dim3)
QWENGPU_SPECIAL(gridDim, nctaid, dim3)
#undef QWENGPU_SPECIAL
#undef QWENGPU_GETTER

struct qwengpu_warp_size {
    __attribute__((device, always_inline, nodebug)) operator int() const { return __nvvm_read_ptx_sreg_warpsize(); }
    qwengpu_warp_size() = delete;
};
extern const __attribute__((device, weak)) qwengpu_warp_size warpSize;

// ---------------------------------------------------------------------------------------------------------
// Barriers and fences (`__syncthreads` is a builtin of clang)

QWENGPU_FN int __syncthreads_count(int p) { return __nvvm_bar0_popc(p); }
QWENGPU_FN int __syncthreads_and(int p) { return __nvvm_bar0_and(p); }
QWENGPU_FN int __syncthreads_or(int p) { return __nvvm_bar0_or(p); }
QWENGPU_FN void __syncwarp(unsigned mask = 0xffffffffu) { __nvvm_bar_warp_sync(mask); }
QWENGPU_FN void __threadfence() { __nvvm_membar_gl(); }
QWENGPU_FN void __threadfence_block() { __nvvm_membar_cta(); }
QWENGPU_FN void __threadfence_system() { __nvvm_membar_sys(); }
QWENGPU_FN void __nanosleep(unsigned ns) { __nvvm_nanosleep(ns); }
QWENGPU_FN void __trap() { __asm__ volatile("trap;"); }

// ---------------------------------------------------------------------------------------------------------
// Votes and matches

QWENGPU_FN unsigned __ballot_sync(unsigned mask, int p) { return __nvvm_vote_ballot_sync(mask, p != 0); }
QWENGPU_FN int __any_sync(unsigned mask, int p) { return __nvvm_vote_any_sync(mask, p != 0); }
QWENGPU_FN int __all_sync(unsigned mask, int p) { return __nvvm_vote_all_sync(mask, p != 0); }
QWENGPU_FN int __uni_sync(unsigned mask, int p) { return __nvvm_vote_uni_sync(mask, p != 0); }
QWENGPU_FN unsigned __activemask() {
    unsigned r;
    __asm__ volatile("activemask.b32 %0;" : "=r"(r));
    return r;
}

#define QWENGPU_MATCH(T, bits)                                                                             \
    QWENGPU_FN unsigned __match_any_sync(unsigned mask, T v) {                                             \
        return __nvvm_match_any_sync_i##bits(mask, v);                                                     \
    }                                                                                                      \
    QWENGPU_FN unsigned __match_all_sync(unsigned mask, T v, int *p) {                                     \
        return __nvvm_match_all_sync_i##bits##p(mask, v, p);                                               \
    }
QWENGPU_MATCH(int, 32)
QWENGPU_MATCH(unsigned, 32)
QWENGPU_MATCH(long, 64)
QWENGPU_MATCH(unsigned long, 64)
QWENGPU_MATCH(long long, 64)
QWENGPU_MATCH(unsigned long long, 64)
#undef QWENGPU_MATCH

// ---------------------------------------------------------------------------------------------------------
// Shuffles. The last operand is ((32 - width) << 8) | clamp, see "shfl.sync" in the PTX ISA.

#define QWENGPU_SHUFFLE(name, mode, clamp, A, arg)                                                         \
    QWENGPU_FN int name(unsigned mask, int v, A arg, int width = 32) {                                     \
        return __nvvm_shfl_sync_##mode##_i32(mask, v, (int)arg, ((32 - width) << 8) | clamp);              \
    }                                                                                                      \
    QWENGPU_FN unsigned name(unsigned mask, unsigned v, A arg, int width = 32) {                           \
        return (unsigned)name(mask, (int)v, arg, width);                                                   \
    }                                                                                                      \
    QWENGPU_FN unsigned long long name(unsigned mask, unsigned long long v, A arg, int width = 32) {       \
        unsigned low = name(mask, (unsigned)v, arg, width);                                                \
        unsigned high = name(mask, (unsigned)(v >> 32), arg, width);                                       \
        return ((unsigned long long)high << 32) | low;                                                     \
    }                                                                                                      \
    QWENGPU_FN long long name(unsigned mask, long long v, A arg, int width = 32) {                         \
        return (long long)name(mask, (unsigned long long)v, arg, width);                                   \
    }                                                                                                      \
    QWENGPU_FN unsigned long name(unsigned mask, unsigned long v, A arg, int width = 32) {                 \
        return (unsigned long)name(mask, (unsigned long long)v, arg, width);                               \
    }                                                                                                      \
    QWENGPU_FN long name(unsigned mask, long v, A arg, int width = 32) {                                   \
        return (long)name(mask, (unsigned long long)v, arg, width);                                        \
    }
QWENGPU_SHUFFLE(__shfl_sync, idx, 0x1f, int, lane)
QWENGPU_SHUFFLE(__shfl_up_sync, up, 0, unsigned, delta)
QWENGPU_SHUFFLE(__shfl_down_sync, down, 0x1f, unsigned, delta)
QWENGPU_SHUFFLE(__shfl_xor_sync, bfly, 0x1f, int, lanes)
#undef QWENGPU_SHUFFLE

// ---------------------------------------------------------------------------------------------------------
// Atomics: each returns the old value. The `long` builtins of clang are 64 bits wide here.

#define QWENGPU_ATOMIC(name, op, T, kind)                                                                  \
    QWENGPU_FN T name(T *p, T v) { return (T)__nvvm_atom_##op##_gen_##kind(p, v); }

QWENGPU_ATOMIC(atomicExch, xchg, int, i)
QWENGPU_ATOMIC(atomicAdd, add, int, i)
QWENGPU_ATOMIC(atomicMin, min, int, i)
QWENGPU_ATOMIC(atomicMax, max, int, i)
QWENGPU_ATOMIC(atomicAnd, and, int, i)
QWENGPU_ATOMIC(atomicOr, or, int, i)
QWENGPU_ATOMIC(atomicXor, xor, int, i)
QWENGPU_ATOMIC(atomicMin, min, unsigned, ui)
QWENGPU_ATOMIC(atomicMax, max, unsigned, ui)
QWENGPU_ATOMIC(atomicInc, inc, unsigned, ui)
QWENGPU_ATOMIC(atomicDec, dec, unsigned, ui)
QWENGPU_ATOMIC(atomicMin, min, long long, ll)
QWENGPU_ATOMIC(atomicMax, max, long long, ll)
QWENGPU_ATOMIC(atomicAnd, and, long long, ll)
QWENGPU_ATOMIC(atomicOr, or, long long, ll)
QWENGPU_ATOMIC(atomicXor, xor, long long, ll)
QWENGPU_ATOMIC(atomicMin, min, unsigned long long, ull)
QWENGPU_ATOMIC(atomicMax, max, unsigned long long, ull)
#undef QWENGPU_ATOMIC

// clang's builtins without an unsigned form are called on the same bits.
#define QWENGPU_ATOMIC_BITS(name, op, T, S, kind)                                                          \
    QWENGPU_FN T name(T *p, T v) { return (T)__nvvm_atom_##op##_gen_##kind((S *)p, (S)v); }

QWENGPU_ATOMIC_BITS(atomicExch, xchg, unsigned, int, i)
QWENGPU_ATOMIC_BITS(atomicAdd, add, unsigned, int, i)
QWENGPU_ATOMIC_BITS(atomicAnd, and, unsigned, int, i)
QWENGPU_ATOMIC_BITS(atomicOr, or, unsigned, int, i)
QWENGPU_ATOMIC_BITS(atomicXor, xor, unsigned, int, i)
QWENGPU_ATOMIC_BITS(atomicExch, xchg, unsigned long long, long long, ll)
QWENGPU_ATOMIC_BITS(atomicAdd, add, unsigned long long, long long, ll)
QWENGPU_ATOMIC_BITS(atomicAnd, and, unsigned long long, long long, ll)
QWENGPU_ATOMIC_BITS(atomicOr, or, unsigned long long, long long, ll)
QWENGPU_ATOMIC_BITS(atomicXor, xor, unsigned long long, long long, ll)
#undef QWENGPU_ATOMIC_BITS

QWENGPU_FN int atomicSub(int *p, int v) { return atomicAdd(p, (int)(0u - (unsigned)v)); }
QWENGPU_FN unsigned atomicSub(unsigned *p, unsigned v) { return atomicAdd(p, 0u - v); }

// __nvvm_atom_cas_* would order memory system-wide (fence.sc.sys around it); CUDA's CAS is relaxed.
#define QWENGPU_CAS(T)                                                                                     \
    QWENGPU_FN T atomicCAS(T *p, T compare, T v) {                                                         \
        __scoped_atomic_compare_exchange_n(p, &compare, v, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED,      \
                                           __MEMORY_SCOPE_DEVICE);                                         \
        return compare;                                                                                    \
    }
QWENGPU_CAS(int)
QWENGPU_CAS(unsigned)
QWENGPU_CAS(unsigned long long)
QWENGPU_CAS(unsigned short)
#undef QWENGPU_CAS

// ---------------------------------------------------------------------------------------------------------
// Bits

QWENGPU_FN int __popc(unsigned v) { return __builtin_popcount(v); }
QWENGPU_FN int __popcll(unsigned long long v) { return __builtin_popcountll(v); }
QWENGPU_FN int __clz(int v) { return __builtin_clzg((unsigned)v, 32); }
QWENGPU_FN int __clzll(long long v) { return __builtin_clzg((unsigned long long)v, 64); }
QWENGPU_FN int __ffs(int v) { return __builtin_ffs(v); }
QWENGPU_FN int __ffsll(long long v) { return __builtin_ffsll(v); }
QWENGPU_FN unsigned __brev(unsigned v) { return __builtin_bitreverse32(v); }
QWENGPU_FN unsigned long long __brevll(unsigned long long v) { return __builtin_bitreverse64(v); }
QWENGPU_FN unsigned __byte_perm(unsigned a, unsigned b, unsigned s) {
    unsigned r;
    __asm__("prmt.b32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(s & 0x7777u));
    return r;
}

#define QWENGPU_FUNNEL(name, op)                                                                           \
    QWENGPU_FN unsigned name(unsigned low, unsigned high, unsigned n) {                                    \
        unsigned r;                                                                                        \
        __asm__(op " %0, %1, %2, %3;" : "=r"(r) : "r"(low), "r"(high), "r"(n));                            \
        return r;                                                                                          \
    }
QWENGPU_FUNNEL(__funnelshift_l, "shf.l.wrap.b32")
QWENGPU_FUNNEL(__funnelshift_r, "shf.r.wrap.b32")
QWENGPU_FUNNEL(__funnelshift_lc, "shf.l.clamp.b32")
QWENGPU_FUNNEL(__funnelshift_rc, "shf.r.clamp.b32")
#undef QWENGPU_FUNNEL

// ---------------------------------------------------------------------------------------------------------
// Arithmetic

QWENGPU_FN int __mulhi(int a, int b) { return (int)(((long long)a * b) >> 32); }
QWENGPU_FN unsigned __umulhi(unsigned a, unsigned b) {
    return (unsigned)(((unsigned long long)a * b) >> 32);
}
QWENGPU_FN long long __mul64hi(long long a, long long b) { return __nvvm_mulhi_ll(a, b); }
QWENGPU_FN unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
    return __nvvm_mulhi_ull(a, b);
}
QWENGPU_FN int __mul24(int a, int b) {
    int r;
    __asm__("mul24.lo.s32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b));
    return r;
}
QWENGPU_FN unsigned __umul24(unsigned a, unsigned b) {
    unsigned r;
    __asm__("mul24.lo.u32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b));
    return r;
}
QWENGPU_FN unsigned __sad(int a, int b, unsigned c) {
    unsigned r;
    __asm__("sad.s32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c));
    return r;
}
QWENGPU_FN unsigned __usad(unsigned a, unsigned b, unsigned c) {
    unsigned r;
    __asm__("sad.u32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c));
    return r;
}
// Averages without the overflow of a + b: halves of the common and of the differing bits.
QWENGPU_FN int __hadd(int a, int b) { return (a & b) + ((a ^ b) >> 1); }
QWENGPU_FN int __rhadd(int a, int b) { return (a | b) - ((a ^ b) >> 1); }
QWENGPU_FN unsigned __uhadd(unsigned a, unsigned b) { return (a & b) + ((a ^ b) >> 1); }
QWENGPU_FN unsigned __urhadd(unsigned a, unsigned b) { return (a | b) - ((a ^ b) >> 1); }

QWENGPU_FN int abs(int v) { return __builtin_abs(v); }
QWENGPU_FN long abs(long v) { return __builtin_labs(v); }
QWENGPU_FN long long abs(long long v) { return __builtin_llabs(v); }
QWENGPU_FN long labs(long v) { return __builtin_labs(v); }
QWENGPU_FN long long llabs(long long v) { return __builtin_llabs(v); }

// Mixed operands convert as C++'s usual arithmetic conversions do.
#define QWENGPU_MINMAX(A, B, R)                                                                            \
    QWENGPU_FN R min(A a, B b) { return (R)a < (R)b ? (R)a : (R)b; }                                       \
    QWENGPU_FN R max(A a, B b) { return (R)a > (R)b ? (R)a : (R)b; }
#define QWENGPU_MINMAX_MIXED(S, U)                                                                         \
    QWENGPU_MINMAX(S, S, S)                                                                                \
    QWENGPU_MINMAX(U, U, U)                                                                                \
    QWENGPU_MINMAX(S, U, U)                                                                                \
    QWENGPU_MINMAX(U, S, U)
QWENGPU_MINMAX_MIXED(int, unsigned)
QWENGPU_MINMAX_MIXED(long, unsigned long)
QWENGPU_MINMAX_MIXED(long long, unsigned long long)
#undef QWENGPU_MINMAX_MIXED
#undef QWENGPU_MINMAX
QWENGPU_FN unsigned umin(unsigned a, unsigned b) { return min(a, b); }
QWENGPU_FN unsigned umax(unsigned a, unsigned b) { return max(a, b); }
QWENGPU_FN long long llmin(long long a, long long b) { return min(a, b); }
QWENGPU_FN long long llmax(long long a, long long b) { return max(a, b); }
QWENGPU_FN unsigned long long ullmin(unsigned long long a, unsigned long long b) { return min(a, b); }
QWENGPU_FN unsigned long long ullmax(unsigned long long a, unsigned long long b) { return max(a, b); }

// ---------------------------------------------------------------------------------------------------------
// Read-only loads

#define QWENGPU_LDG(T, kind)                                                                               \
    QWENGPU_FN T __ldg(const T *p) { return (T)__nvvm_ldg_##kind(p); }
QWENGPU_LDG(char, c)
QWENGPU_LDG(signed char, sc)
QWENGPU_LDG(short, s)
QWENGPU_LDG(int, i)
QWENGPU_LDG(long, l)
QWENGPU_LDG(long long, ll)
QWENGPU_LDG(unsigned char, uc)
QWENGPU_LDG(unsigned short, us)
QWENGPU_LDG(unsigned, ui)
QWENGPU_LDG(unsigned long, ul)
QWENGPU_LDG(unsigned long long, ull)
#undef QWENGPU_LDG

// ---------------------------------------------------------------------------------------------------------
// Refused, at the line that uses them

#define QWENGPU_REFUSED(why) __attribute__((device, unavailable(why)))
QWENGPU_REFUSED("not supported: a kernel here has no console; store the value in a buffer")
int printf(const char *, ...);
QWENGPU_REFUSED("not supported: time is not part of a comparable result")
long clock();
QWENGPU_REFUSED("not supported: time is not part of a comparable result")
long long clock64();
QWENGPU_REFUSED("not supported: there is no device heap")
void *malloc(unsigned long);
QWENGPU_REFUSED("not supported: there is no device heap")
void free(void *);
#undef QWENGPU_REFUSED

#undef QWENGPU_FN
#endif
