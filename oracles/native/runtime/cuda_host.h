// CUDA C++ as host C++: qualifiers, built-in variables and every intrinsic as plain code.
//
// Force-included before the unchanged source. Each function is written from its description in the CUDA C++
// Programming Guide and the CUDA Math API, bit by bit where that is the clearest, and not from what a compiler
// makes of it: this is the independent opinion that the other legs are compared with.
#ifndef QWENGPU_CUDA_HOST_H
#define QWENGPU_CUDA_HOST_H

#include "abi.h"

#define __CUDACC__ 1
#define __CUDA_ARCH__ 750
#define __host__
#define __device__
#define __global__
#define __constant__
#define __managed__
#define __grid_constant__
#define __noinline__ __attribute__((noinline))
#define __forceinline__ inline __attribute__((always_inline))
#define __launch_bounds__(...)
#define __align__(n) __attribute__((aligned(n)))
// Thread-local storage is the one kind that is static inside a function and may be declared `extern` and without
// a size. Emulated (-femulated-tls), every access asks the runtime for the place: the current block's.
// `used` keeps the optimiser from reasoning that nobody else writes there.
#define __shared__ thread_local __attribute__((used))

#include "assert.h"
#include "stddef.h"

#define QN_FN static inline __attribute__((unused))

// ---------------------------------------------------------------------------------------------------------
// Types and built-in variables

#define QN_VECTOR(T, name, a1, a2, a3, a4)                                                                 \
    struct __align__(a1) name##1 { T x; };                                                                 \
    struct __align__(a2) name##2 { T x, y; };                                                              \
    struct __align__(a3) name##3 { T x, y, z; };                                                           \
    struct __align__(a4) name##4 { T x, y, z, w; };                                                        \
    QN_FN name##1 make_##name##1(T x) { return name##1{x}; }                                               \
    QN_FN name##2 make_##name##2(T x, T y) { return name##2{x, y}; }                                       \
    QN_FN name##3 make_##name##3(T x, T y, T z) { return name##3{x, y, z}; }                               \
    QN_FN name##4 make_##name##4(T x, T y, T z, T w) { return name##4{x, y, z, w}; }
QN_VECTOR(signed char, char, 1, 2, 1, 4)
QN_VECTOR(unsigned char, uchar, 1, 2, 1, 4)
QN_VECTOR(short, short, 2, 4, 2, 8)
QN_VECTOR(unsigned short, ushort, 2, 4, 2, 8)
QN_VECTOR(int, int, 4, 8, 4, 16)
QN_VECTOR(unsigned, uint, 4, 8, 4, 16)
QN_VECTOR(long, long, 8, 16, 8, 16)
QN_VECTOR(unsigned long, ulong, 8, 16, 8, 16)
QN_VECTOR(long long, longlong, 8, 16, 8, 16)
QN_VECTOR(unsigned long long, ulonglong, 8, 16, 8, 16)
#undef QN_VECTOR

struct dim3 {
    unsigned x, y, z;
    constexpr dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z) {}
    constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
    constexpr operator uint3() const { return uint3{x, y, z}; }
};

extern "C" {
extern const uint3 qn_thread_index, qn_block_index;
extern const dim3 qn_block_size, qn_grid_size;
extern const int qn_warp_size;
}
#define threadIdx qn_thread_index
#define blockIdx qn_block_index
#define blockDim qn_block_size
#define gridDim qn_grid_size
#define warpSize qn_warp_size

// ---------------------------------------------------------------------------------------------------------
// Barriers, fences, stops

QN_FN void __syncthreads() { qn_barrier(QN_PLAIN, 0); }
QN_FN int __syncthreads_count(int p) { return qn_barrier(QN_COUNT, p); }
QN_FN int __syncthreads_and(int p) { return qn_barrier(QN_AND, p); }
QN_FN int __syncthreads_or(int p) { return qn_barrier(QN_OR, p); }
QN_FN void __syncwarp(unsigned mask = 0xffffffffu) {
    qn_lanes lanes;
    qn_meet(QN_SYNC, mask, 0, &lanes);
}
QN_FN void qn_fence() {
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    qn_yield();
}
QN_FN void __threadfence() { qn_fence(); }
QN_FN void __threadfence_block() { qn_fence(); }
QN_FN void __threadfence_system() { qn_fence(); }
QN_FN void __nanosleep(unsigned) { qn_yield(); }
QN_FN void __trap() { qn_trap(); }

// ---------------------------------------------------------------------------------------------------------
// Votes and matches

QN_FN unsigned __ballot_sync(unsigned mask, int p) {
    qn_lanes lanes;
    qn_meet(QN_BALLOT, mask, p != 0, &lanes);
    unsigned votes = 0;
    for (unsigned lane = 0; lane < 32; ++lane)
        if ((lanes.members >> lane & 1) && lanes.value[lane])
            votes |= 1u << lane;
    return votes;
}
QN_FN int __any_sync(unsigned mask, int p) {
    qn_lanes lanes;
    qn_meet(QN_ANY, mask, p != 0, &lanes);
    for (unsigned lane = 0; lane < 32; ++lane)
        if ((lanes.members >> lane & 1) && lanes.value[lane])
            return 1;
    return 0;
}
QN_FN int __all_sync(unsigned mask, int p) {
    qn_lanes lanes;
    qn_meet(QN_ALL, mask, p != 0, &lanes);
    for (unsigned lane = 0; lane < 32; ++lane)
        if ((lanes.members >> lane & 1) && !lanes.value[lane])
            return 0;
    return 1;
}
QN_FN int __uni_sync(unsigned mask, int p) {
    qn_lanes lanes;
    qn_meet(QN_UNI, mask, p != 0, &lanes);
    for (unsigned lane = 0; lane < 32; ++lane)
        if ((lanes.members >> lane & 1) && lanes.value[lane] != lanes.value[lanes.self])
            return 0;
    return 1;
}
// A macro, so that each place in the source has a number of its own, whatever the optimiser merges.
#define __activemask() qn_converged(__COUNTER__ + 1)

QN_FN unsigned qn_match(int operation, unsigned mask, unsigned long long v, unsigned *members) {
    qn_lanes lanes;
    qn_meet(operation, mask, v, &lanes);
    unsigned same = 0;
    for (unsigned lane = 0; lane < 32; ++lane)
        if ((lanes.members >> lane & 1) && lanes.value[lane] == v)
            same |= 1u << lane;
    *members = lanes.members;
    return same;
}
#define QN_MATCH(T, U)                                                                                     \
    QN_FN unsigned __match_any_sync(unsigned mask, T v) {                                                  \
        unsigned members;                                                                                  \
        return qn_match(QN_MATCH_ANY, mask, (U)v, &members);                                               \
    }                                                                                                      \
    QN_FN unsigned __match_all_sync(unsigned mask, T v, int *all) {                                        \
        unsigned members, same = qn_match(QN_MATCH_ALL, mask, (U)v, &members);                             \
        *all = same == members;                                                                            \
        return same == members ? same : 0;                                                                 \
    }
QN_MATCH(int, unsigned)
QN_MATCH(unsigned, unsigned)
QN_MATCH(long, unsigned long)
QN_MATCH(unsigned long, unsigned long)
QN_MATCH(long long, unsigned long long)
QN_MATCH(unsigned long long, unsigned long long)
#undef QN_MATCH

// ---------------------------------------------------------------------------------------------------------
// Shuffles: the warp is cut into segments of `width` lanes; a source outside the own segment gives the own value

QN_FN unsigned long long qn_from(const qn_lanes &lanes, long long source, unsigned long long own) {
    return source >= 0 && source < 32 && (lanes.members >> source & 1) ? lanes.value[source] : own;
}
QN_FN unsigned long long qn_shuffle(int how, unsigned mask, unsigned long long v, unsigned arg, int width) {
    qn_lanes lanes;
    qn_meet(how, mask, v, &lanes);
    const long long lane = lanes.self;
    const long long first = lane / width * width, last = first + width - 1;
    // The hardware looks at five bits of the lane or the distance.
    const long long amount = arg % 32;
    long long source = lane;
    if (how == QN_SHUFFLE_IDX)
        source = first + amount % width;
    if (how == QN_SHUFFLE_UP)
        source = lane - amount >= first ? lane - amount : lane;
    if (how == QN_SHUFFLE_DOWN)
        source = lane + amount <= last ? lane + amount : lane;
    if (how == QN_SHUFFLE_XOR)
        source = (lane ^ amount) <= last ? (lane ^ amount) : lane;
    return qn_from(lanes, source, v);
}
#define QN_SHUFFLE(T, U)                                                                                   \
    QN_FN T __shfl_sync(unsigned mask, T v, int lane, int width = 32) {                                    \
        return (T)qn_shuffle(QN_SHUFFLE_IDX, mask, (U)v, (unsigned)lane, width);                           \
    }                                                                                                      \
    QN_FN T __shfl_up_sync(unsigned mask, T v, unsigned delta, int width = 32) {                           \
        return (T)qn_shuffle(QN_SHUFFLE_UP, mask, (U)v, delta, width);                                     \
    }                                                                                                      \
    QN_FN T __shfl_down_sync(unsigned mask, T v, unsigned delta, int width = 32) {                         \
        return (T)qn_shuffle(QN_SHUFFLE_DOWN, mask, (U)v, delta, width);                                   \
    }                                                                                                      \
    QN_FN T __shfl_xor_sync(unsigned mask, T v, int lanes, int width = 32) {                               \
        return (T)qn_shuffle(QN_SHUFFLE_XOR, mask, (U)v, (unsigned)lanes, width);                          \
    }
QN_SHUFFLE(int, unsigned)
QN_SHUFFLE(unsigned, unsigned)
QN_SHUFFLE(long, unsigned long)
QN_SHUFFLE(unsigned long, unsigned long)
QN_SHUFFLE(long long, unsigned long long)
QN_SHUFFLE(unsigned long long, unsigned long long)
#undef QN_SHUFFLE

// ---------------------------------------------------------------------------------------------------------
// Atomics: the old value comes back. Other threads get a turn after each, so that waiting loops end.

template <class T, class F> static inline T qn_update(T *p, F next) {
    if ((unsigned long)p % sizeof(T))
        qn_misaligned(p);
    T old = __atomic_load_n(p, __ATOMIC_SEQ_CST);
    while (!__atomic_compare_exchange_n(p, &old, next(old), false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) {
    }
    qn_yield();
    return old;
}
#define QN_ATOMIC(name, T, next)                                                                           \
    QN_FN T name(T *p, T v) {                                                                              \
        return qn_update(p, [v](T old) -> T { return next; });                                             \
    }
#define QN_ATOMIC_ALL(T)                                                                                   \
    QN_ATOMIC(atomicExch, T, ((void)old, v))                                                               \
    QN_ATOMIC(atomicAnd, T, (T)(old & v))                                                                  \
    QN_ATOMIC(atomicOr, T, (T)(old | v))                                                                   \
    QN_ATOMIC(atomicXor, T, (T)(old ^ v))                                                                  \
    QN_ATOMIC(atomicMin, T, v < old ? v : old)                                                             \
    QN_ATOMIC(atomicMax, T, old < v ? v : old)
QN_ATOMIC_ALL(int)
QN_ATOMIC_ALL(unsigned)
QN_ATOMIC_ALL(unsigned long long)
QN_ATOMIC(atomicAnd, long long, old & v)
QN_ATOMIC(atomicOr, long long, old | v)
QN_ATOMIC(atomicXor, long long, old ^ v)
QN_ATOMIC(atomicMin, long long, v < old ? v : old)
QN_ATOMIC(atomicMax, long long, old < v ? v : old)
QN_ATOMIC(atomicAdd, int, (int)((unsigned)old + (unsigned)v))
QN_ATOMIC(atomicAdd, unsigned, old + v)
QN_ATOMIC(atomicAdd, unsigned long long, old + v)
QN_ATOMIC(atomicSub, int, (int)((unsigned)old - (unsigned)v))
QN_ATOMIC(atomicSub, unsigned, old - v)
QN_ATOMIC(atomicInc, unsigned, old >= v ? 0u : old + 1u)
QN_ATOMIC(atomicDec, unsigned, old == 0u || old > v ? v : old - 1u)
#undef QN_ATOMIC_ALL
#undef QN_ATOMIC
#define QN_CAS(T)                                                                                          \
    QN_FN T atomicCAS(T *p, T compare, T v) {                                                              \
        return qn_update(p, [=](T old) -> T { return old == compare ? v : old; });                         \
    }
QN_CAS(int)
QN_CAS(unsigned)
QN_CAS(unsigned long long)
QN_CAS(unsigned short)
#undef QN_CAS

// ---------------------------------------------------------------------------------------------------------
// Bits

QN_FN int __popcll(unsigned long long v) {
    int n = 0;
    for (int bit = 0; bit < 64; ++bit)
        n += (int)(v >> bit & 1);
    return n;
}
QN_FN int __popc(unsigned v) { return __popcll(v); }
QN_FN int __clzll(long long v) {
    int n = 0;
    while (n < 64 && !((unsigned long long)v >> (63 - n) & 1))
        ++n;
    return n;
}
QN_FN int __clz(int v) {
    int n = 0;
    while (n < 32 && !((unsigned)v >> (31 - n) & 1))
        ++n;
    return n;
}
QN_FN int __ffsll(long long v) {
    for (int bit = 0; bit < 64; ++bit)
        if ((unsigned long long)v >> bit & 1)
            return bit + 1;
    return 0;
}
QN_FN int __ffs(int v) { return __ffsll((long long)(unsigned)v); }
QN_FN unsigned long long __brevll(unsigned long long v) {
    unsigned long long r = 0;
    for (int bit = 0; bit < 64; ++bit)
        r = r << 1 | (v >> bit & 1);
    return r;
}
QN_FN unsigned __brev(unsigned v) { return (unsigned)(__brevll(v) >> 32); }
QN_FN unsigned __byte_perm(unsigned a, unsigned b, unsigned s) {
    unsigned char bytes[8];
    for (int i = 0; i < 4; ++i) {
        bytes[i] = (unsigned char)(a >> (8 * i));
        bytes[4 + i] = (unsigned char)(b >> (8 * i));
    }
    unsigned r = 0;
    for (int i = 3; i >= 0; --i) {
        r = r << 8 | bytes[s >> (4 * i) & 7]; /* three bits a selector: bit 3 means nothing here */
    }
    return r;
}
// `high:low` as one number of 64 bits: its high word after a left shift, its low word after a right shift.
QN_FN unsigned long long qn_pair(unsigned low, unsigned high) { return (unsigned long long)high << 32 | low; }
QN_FN unsigned __funnelshift_l(unsigned low, unsigned high, unsigned n) {
    return (unsigned)((qn_pair(low, high) << n % 32) >> 32);
}
QN_FN unsigned __funnelshift_lc(unsigned low, unsigned high, unsigned n) {
    return n >= 32 ? low : __funnelshift_l(low, high, n);
}
QN_FN unsigned __funnelshift_r(unsigned low, unsigned high, unsigned n) {
    return (unsigned)(qn_pair(low, high) >> n % 32);
}
QN_FN unsigned __funnelshift_rc(unsigned low, unsigned high, unsigned n) {
    return n >= 32 ? high : __funnelshift_r(low, high, n);
}

// ---------------------------------------------------------------------------------------------------------
// Arithmetic, in a type wide enough not to lose anything

QN_FN int __mulhi(int a, int b) { return (int)((long long)a * (long long)b >> 32); }
QN_FN unsigned __umulhi(unsigned a, unsigned b) {
    return (unsigned)((unsigned long long)a * (unsigned long long)b >> 32);
}
QN_FN long long __mul64hi(long long a, long long b) { return (long long)((__int128)a * b >> 64); }
QN_FN unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
    return (unsigned long long)((unsigned __int128)a * b >> 64);
}
QN_FN long long qn_low24(int v) { return (v & 0x7fffff) - (v & 0x800000); }
QN_FN int __mul24(int a, int b) { return (int)(qn_low24(a) * qn_low24(b)); }
QN_FN unsigned __umul24(unsigned a, unsigned b) {
    return (unsigned)((unsigned long long)(a & 0xffffff) * (b & 0xffffff));
}
QN_FN unsigned __sad(int a, int b, unsigned c) {
    const long long d = (long long)a - b;
    return (unsigned)(d < 0 ? -d : d) + c;
}
QN_FN unsigned __usad(unsigned a, unsigned b, unsigned c) { return (a < b ? b - a : a - b) + c; }
QN_FN int __hadd(int a, int b) { return (int)(((long long)a + b) >> 1); }
QN_FN int __rhadd(int a, int b) { return (int)(((long long)a + b + 1) >> 1); }
QN_FN unsigned __uhadd(unsigned a, unsigned b) { return (unsigned)(((unsigned long long)a + b) >> 1); }
QN_FN unsigned __urhadd(unsigned a, unsigned b) { return (unsigned)(((unsigned long long)a + b + 1) >> 1); }

// The absolute value of the lowest number does not exist: the bits stay.
QN_FN int abs(int v) { return v < 0 ? (int)(0u - (unsigned)v) : v; }
QN_FN long long llabs(long long v) { return v < 0 ? (long long)(0ull - (unsigned long long)v) : v; }
QN_FN long long abs(long long v) { return llabs(v); }
QN_FN long labs(long v) { return (long)llabs(v); }
QN_FN long abs(long v) { return (long)llabs(v); }

#define QN_MINMAX(A, B, R)                                                                                 \
    QN_FN R min(A a, B b) {                                                                                \
        const R p = (R)a, q = (R)b;                                                                        \
        return q < p ? q : p;                                                                              \
    }                                                                                                      \
    QN_FN R max(A a, B b) {                                                                                \
        const R p = (R)a, q = (R)b;                                                                        \
        return p < q ? q : p;                                                                              \
    }
#define QN_MINMAX_MIXED(S, U) QN_MINMAX(S, S, S) QN_MINMAX(U, U, U) QN_MINMAX(S, U, U) QN_MINMAX(U, S, U)
QN_MINMAX_MIXED(int, unsigned)
QN_MINMAX_MIXED(long, unsigned long)
QN_MINMAX_MIXED(long long, unsigned long long)
#undef QN_MINMAX_MIXED
#undef QN_MINMAX
QN_FN unsigned umin(unsigned a, unsigned b) { return a < b ? a : b; }
QN_FN unsigned umax(unsigned a, unsigned b) { return a < b ? b : a; }
QN_FN long long llmin(long long a, long long b) { return a < b ? a : b; }
QN_FN long long llmax(long long a, long long b) { return a < b ? b : a; }
QN_FN unsigned long long ullmin(unsigned long long a, unsigned long long b) { return a < b ? a : b; }
QN_FN unsigned long long ullmax(unsigned long long a, unsigned long long b) { return a < b ? b : a; }

template <class T> static inline T __ldg(const T *p) { return *p; }

#undef QN_FN

// ---------------------------------------------------------------------------------------------------------
// The way in: parameter types are read off the kernel itself

template <class T> struct qn_type { static constexpr unsigned kind = __is_enum(T) ? QN_INTEGER : QN_OTHER; };
template <class T> struct qn_type<T *> { static constexpr unsigned kind = QN_POINTER; };
template <class T> struct qn_type<const T> : qn_type<T> {};
#define QN_KIND(T, k) template <> struct qn_type<T> { static constexpr unsigned kind = k; };
QN_KIND(bool, QN_INTEGER)
QN_KIND(char, QN_INTEGER)
QN_KIND(signed char, QN_INTEGER)
QN_KIND(unsigned char, QN_INTEGER)
QN_KIND(short, QN_INTEGER)
QN_KIND(unsigned short, QN_INTEGER)
QN_KIND(int, QN_INTEGER)
QN_KIND(unsigned, QN_INTEGER)
QN_KIND(long, QN_INTEGER)
QN_KIND(unsigned long, QN_INTEGER)
QN_KIND(long long, QN_INTEGER)
QN_KIND(unsigned long long, QN_INTEGER)
QN_KIND(float, QN_FLOATING)
QN_KIND(double, QN_FLOATING)
#undef QN_KIND

template <unsigned... I> struct qn_numbers {};
template <unsigned N, unsigned... I> struct qn_count : qn_count<N - 1, N - 1, I...> {};
template <unsigned... I> struct qn_count<0, I...> { using type = qn_numbers<I...>; };

template <class... P> struct qn_signature {
    static constexpr unsigned count = sizeof...(P);
    static constexpr qn_parameter parameters[sizeof...(P) + 1] = {{qn_type<P>::kind, sizeof(P)}..., {0, 0}};
    template <unsigned... I>
    static void apply(void (*kernel)(P...), const unsigned long long *raw, qn_numbers<I...>) {
        (void)raw;
        // The runtime refuses a launch of any other kernel before it comes here.
        if constexpr (((qn_type<P>::kind <= QN_INTEGER) && ...))
            kernel((P)raw[I]...);
    }
};
template <class... P> qn_signature<P...> qn_signature_of(void (*)(P...));

template <auto kernel> struct qn_way_in {
    using signature = decltype(qn_signature_of(kernel));
    static void call(const unsigned long long *raw) {
        signature::apply(kernel, raw, typename qn_count<signature::count>::type{});
    }
};

#define QN_ENTRY(kernel)                                                                                   \
    extern "C" const qn_kernel qn_entry = {&qn_way_in<&kernel>::call, qn_way_in<&kernel>::signature::count, \
                                           qn_way_in<&kernel>::signature::parameters};

#endif
