"""Launches: results, geometry, memory spaces, scheduling, and each way to fail."""

import re
from pathlib import Path

import pytest
from native_kit import HEAD, LEG, i32, module, run, u32, u64, values, zeros

from oracles.api import Buffer, FaultKind, Launch, Module, Options, Oracle, Report, Scalar, Status
from oracles.native import NativeOracle, oracle
from oracles.native.build import kernel_names, source_name
from qwengpu.frontend.compilers.cache import Cache

SEEDS = (None, 1, 2, 3)


def test_it_is_an_oracle_that_reports_memory_and_faults() -> None:
    leg = oracle()
    assert isinstance(leg, Oracle) and leg.name == "native"
    assert leg.reports == {Report.MEMORY, Report.FAULTS}
    assert leg.available() is None
    assert re.fullmatch(r"native@cpu-\w+-\w+-clang[\d.]+", leg.product(Options()))


def test_unchanged_buffers_come_back_too() -> None:
    source = (
        HEAD + "(const int *a, int *b, int n) { if (threadIdx.x < n) b[threadIdx.x] = a[threadIdx.x] * n; }"
    )
    assert values(source, [i32(1, -2, 3), i32(9, 9, 9), Scalar("i32", 2)], 3) == [[1, -2, 3], [2, -4, 9]]


def test_element_types_keep_their_bits() -> None:
    source = HEAD + "(signed char *a, unsigned char *b, short *c, unsigned short *d, long long *e) {"
    source += "a[0] -= 1; b[0] -= 1; c[0] -= 1; d[0] -= 1; e[0] -= 1; }"
    args = [Buffer(t, (0,)) for t in ("int8", "uint8", "int16", "uint16", "int64")]
    assert values(source, args) == [[-1], [255], [-1], [65535], [-1]]


def test_scalars_of_every_kind_arrive() -> None:
    kinds = ["i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64"]
    types = ["signed char", "unsigned char", "short", "unsigned short", "int", "unsigned", "long long"]
    types.append("unsigned long long")
    names = [f"{t} p{n}" for n, t in enumerate(types)]
    source = HEAD + f"(unsigned long long *out, {', '.join(names)}, bool flag) {{"
    source += "".join(f"out[{n}] = (unsigned long long)p{n};" for n in range(8)) + " out[8] = flag; }"
    args = [Scalar(k, -3 if k[0] == "i" else 2 ** int(k[1:]) - 3) for k in kinds]
    got = values(source, [zeros(9, "uint64"), *args, Scalar("u8", 1)])[0]
    assert got == [a.value % 2**64 for a in args] + [1]


def test_geometry_x_runs_fastest() -> None:
    source = (
        HEAD
        + """(int *out) {
        int t = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
        int b = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
        dim3 g = gridDim; uint3 i = threadIdx;
        out[b * blockDim.x * blockDim.y * blockDim.z + t] = i.x + 10 * i.y + 100 * i.z + 1000 * blockIdx.x
            + 10000 * blockIdx.y + 100000 * blockIdx.z + 1000000 * (g.x == 2)
            + 10000000 * (blockDim.z == 2); }"""
    )
    grid, block = (2, 3, 2), (3, 2, 2)
    launch = Launch("k", grid, block, (zeros(144),))
    got = values(source, [zeros(144)], block, grid)[0]
    for thread, value in enumerate(got):
        (bx, by, bz), (x, y, z) = launch.where(thread)
        want = x + 10 * y + 100 * z + 1000 * bx + 10000 * by + 100000 * bz + 11000000
        assert value == want


@pytest.mark.parametrize("seed", SEEDS)
def test_block_reduction_with_static_and_dynamic_shared_memory(seed: int | None) -> None:
    source = (
        HEAD
        + """(const int *in, int *out) {
        extern __shared__ int dynamic[];
        __shared__ int fixed[64];
        int t = threadIdx.x;
        dynamic[t] = in[blockIdx.x * 64 + t];
        __syncthreads();
        fixed[t] = dynamic[63 - t];
        for (int s = 32; s > 0; s >>= 1) {
            __syncthreads();
            if (t < s) fixed[t] += fixed[t + s];
        }
        if (t == 0) out[blockIdx.x] = fixed[0]; }"""
    )
    data = [(n * 37) % 101 for n in range(192)]
    got = values(source, [i32(*data), zeros(3)], 64, 3, smem=256, options=Options(schedule=seed))
    assert got[1] == [sum(data[n : n + 64]) for n in (0, 64, 128)]


def test_shared_memory_is_not_carried_from_block_to_block() -> None:
    source = (
        HEAD
        + """(int *out) { __shared__ int s; extern __shared__ int d[];
        out[2 * blockIdx.x] = s; out[2 * blockIdx.x + 1] = d[0]; s = 7; d[0] = 8; }"""
    )
    got = values(source, [zeros(6)], 1, 3, smem=4)[0]
    assert 7 not in got and 8 not in got and 0 not in got
    assert len(set(got)) == 1, "uninitialised shared memory holds one pattern"


def test_shared_memory_at_file_scope_of_templates_and_of_vectors() -> None:
    source = (
        """__shared__ int at_file_scope[4];
    template <class T> __device__ T twice(T v) { __shared__ T kept; kept = v; return kept * 2; }
    """
        + HEAD
        + """(long long *out) {
        extern __shared__ __align__(16) int4 quads[];
        __shared__ longlong2 pair;
        at_file_scope[threadIdx.x] = 5;
        quads[0] = make_int4(1, 2, 3, 4);
        pair.y = 1ll << 40;
        out[0] = twice<int>(21) + twice<long long>(1ll << 33) + at_file_scope[0] + quads[0].w;
        out[1] = pair.y; out[2] = (unsigned long long)quads % 16; }"""
    )
    got = values(source, [zeros(3, "int64")], 1, smem=16)[0]
    assert got == [42 + (1 << 34) + 5 + 4, 1 << 40, 0]


def test_constant_and_device_variables() -> None:
    source = (
        """__constant__ int table[3] = {5, 6, 7};
    __device__ int counter = 40; static __device__ unsigned long long big;
    """
        + HEAD
        + "(int *out) { atomicAdd(&counter, table[threadIdx.x]); __syncthreads();"
    )
    source += " if (threadIdx.x == 0) { big = ~0ull; out[0] = counter; out[1] = (int)(big >> 63); } }"
    first = values(source, [zeros(2)], 3)
    assert first == [[58, 1]]
    assert values(source, [zeros(2)], 3) == first, "a second launch does not see the first one's state"


def test_mangled_names_namespaces_and_helpers() -> None:
    source = """namespace deep { namespace er {
    __device__ __noinline__ int helper(int x) { return x * 3; }
    __global__ void work(int *out, int n) { out[0] = helper(n); } } }
    __global__ void plain(int *out) { out[0] = 1; }"""
    assert values(source, [zeros(1), Scalar("i32", 5)], kernel="_ZN4deep2er4workEPii") == [[15]]
    assert values(source, [zeros(1)], kernel="_Z5plainPi") == [[1]]
    assert source_name("_Z3fooILi4EEvPi") is None
    assert source_name("add") == "add"
    template = "template <int N> __global__ void t(int *o) { o[0] = N; } template __global__ void t<4>(int *);"
    result = run(template, [zeros(1)], kernel="_Z1tILi4EEvPi")
    assert result.status is Status.UNSUPPORTED and "template" in result.reason


def test_kernel_names_are_found_without_a_parser() -> None:
    source = """// __global__ void no1(int)
    /* __global__ void no2() */
    extern "C" __global__ void __launch_bounds__(128, 2) one(int *a) {}
    template <int N> static __global__ __attribute__((noinline)) void two(int *b);
    __device__ int three(int x);"""
    assert kernel_names(source) == ["one", "two"]


@pytest.mark.parametrize("seed", SEEDS)
def test_atomics_hand_out_distinct_slots(seed: int | None) -> None:
    source = HEAD + "(int *count, int *seen) { seen[atomicAdd(count, 1)] += 1; }"
    assert values(source, [zeros(1), zeros(96)], 32, 3, options=Options(schedule=seed)) == [[96], [1] * 96]


def test_seeds_change_the_order_and_the_default_does_not() -> None:
    source = HEAD + "(int *count, int *who) { who[atomicAdd(count, 1)] = blockIdx.x * 32 + threadIdx.x; }"

    def order(seed: int | None) -> list[int]:
        return values(source, [zeros(1), zeros(64)], 32, 2, options=Options(schedule=seed))[1]

    assert order(None) == order(None) == list(range(64))
    assert order(1) == order(1) != order(2)
    assert sorted(order(1)) == list(range(64))


@pytest.mark.parametrize("seed", SEEDS)
def test_waiting_for_another_thread_ends(seed: int | None) -> None:
    spin = (
        HEAD
        + """(volatile int *flag, int *out) {
        if (threadIdx.x == 0) { while (flag[0] == 0) {} out[0] = 5; } else { flag[0] = 1; } }"""
    )
    assert values(spin, [zeros(1), zeros(1)], 2, options=Options(schedule=seed))[1] == [5]
    lock = (
        HEAD
        + """(int *lock, int *sum) {
        while (atomicCAS(lock, 0, 1)) {}
        int v = sum[0]; __threadfence(); sum[0] = v + 1; __threadfence(); atomicExch(lock, 0); }"""
    )
    assert values(lock, [zeros(1), zeros(1)], 40, options=Options(schedule=seed)) == [[0], [40]]


def test_barriers_wait_only_for_threads_that_have_not_exited() -> None:
    source = (
        HEAD
        + """(int *out) { __shared__ int s[8]; int t = threadIdx.x; if (t > 4) return;
        s[t] = t; __syncthreads(); out[t] = s[4 - t]; if (t == 4) return;
        __syncthreads(); int n = __syncthreads_count(t < 2) * 10;
        out[5 + t] = n + __syncthreads_or(t == 3) + __syncthreads_and(t); }"""
    )
    assert values(source, [zeros(9)], 8) == [[4, 3, 2, 1, 0, 21, 21, 21, 21]]


def test_barriers_in_two_places_are_one_barrier() -> None:
    source = (
        HEAD
        + """(int *out) { __shared__ int s[2]; int t = threadIdx.x;
        s[t] = t + 1; if (t) __syncthreads(); else __syncthreads(); out[t] = s[1 - t]; }"""
    )
    assert values(source, [zeros(2)], 2) == [[2, 1]]


# --------------------------------------------------------------------------------------------------
# Faults


def test_store_far_behind_a_buffer_names_thread_buffer_and_address() -> None:
    source = HEAD + "(const int *a, int *b) { b[threadIdx.x == 3 ? 100000 : threadIdx.x] = a[threadIdx.x]; }"
    result = run(source, [i32(1, 2, 3, 4), zeros(4)], 4)
    assert result.status is Status.FAULT and result.fault is not None
    assert result.fault.kind is FaultKind.OUT_OF_RANGE and result.fault.threads == (3,)
    assert result.fault.address == 0x4000_0010 + 400000
    assert "threadIdx 3,0,0" in result.reason and "argument 1 (16 bytes)" in result.reason


@pytest.mark.parametrize("index", [-1, 3, 4, -5000, 2_000_000_000, -2_000_000_000])
def test_store_just_outside_a_buffer_is_found(index: int) -> None:
    source = HEAD + "(int *a, int *b, int n) { b[n] = 5; }"
    result = run(source, [i32(1, 2, 3), i32(1, 2, 3), Scalar("i32", index)])
    assert result.status is Status.FAULT and result.fault is not None
    assert result.fault.kind is FaultKind.OUT_OF_RANGE
    assert "argument 1 (12 bytes)" in result.reason
    inside = run(source, [i32(1, 2, 3), i32(1, 2, 3), Scalar("i32", 2)])
    assert inside.status is Status.OK and inside.buffers[1] == (1, 2, 5)


def test_load_behind_a_page_is_found_and_so_is_any_access_to_an_empty_buffer() -> None:
    source = HEAD + "(const int *a, int *b) { b[0] = a[100]; }"
    assert run(source, [zeros(100), zeros(1)]).status is Status.FAULT
    assert run(source, [zeros(101), zeros(1)]).status is Status.OK
    assert run(source, [zeros(0), zeros(1)]).status is Status.FAULT
    null = run(HEAD + "(int *a) { int *p = a[0] ? a : nullptr; *p = 1; }", [zeros(1)])
    assert null.status is Status.FAULT and "outside every buffer" in null.reason


@pytest.mark.parametrize(
    ("body", "smem"),
    [
        ("__shared__ int s[4]; s[n] = 1; out[0] = s[0];", 0),
        ("extern __shared__ int s[]; s[n] = 1; out[0] = s[0];", 16),
        ("extern __shared__ int s[]; s[n] = 1; out[0] = s[0];", 0),
    ],
)
def test_store_behind_shared_memory_is_found(body: str, smem: int) -> None:
    source = HEAD + f"(int *out, int n) {{ {body} }}"
    result = run(source, [zeros(1), Scalar("i32", 5)], smem=smem)
    assert result.status is Status.FAULT and result.fault is not None
    assert result.fault.kind is FaultKind.OUT_OF_RANGE and "shared" in result.reason
    if smem or "[4]" in body:
        assert run(source, [zeros(1), Scalar("i32", 3)], smem=smem).status is Status.OK


@pytest.mark.parametrize(
    "access", ["*(int *)(a + n) = 1;", "b[0] = *(const int *)(a + n);", "atomicAdd((int *)(a + n), 1);"],
)  # fmt: skip
def test_misaligned_access_is_a_fault(access: str) -> None:
    source = HEAD + f"(unsigned char *a, int *b, int n) {{ {access} }}"
    args = [zeros(64, "uint8"), zeros(1)]
    result = run(source, [*args, Scalar("i32", 1)])
    assert result.status is Status.FAULT and result.fault is not None
    assert result.fault.kind is FaultKind.MISALIGNED and result.fault.threads == (0,)
    assert run(source, [*args, Scalar("i32", 8)]).status is Status.OK


def test_buffers_lie_as_aligned_as_the_launch_says() -> None:
    source = HEAD + "(int *a, int *b, unsigned long long *out) {"
    source += " out[0] = (unsigned long long)a % 16; out[1] = (unsigned long long)b % 256; }"
    args = [i32(1), Buffer("int32", (1,), align=256), zeros(2, "uint64")]
    launch = Launch("k", (1, 1, 1), (1, 1, 1), tuple(args))
    a, b, _ = launch.addresses()
    assert values(source, args)[2] == [(a or 0) % 16, (b or 0) % 256]


@pytest.mark.parametrize("stop", ["__trap();", "assert(out[0]);", "__builtin_trap();"])
def test_trap_and_assertion(stop: str) -> None:
    source = "#include <cassert>\n" + HEAD + f"(int *out) {{ if (threadIdx.x == 1) {{ {stop} }} }}"
    result = run(source, [zeros(1)], 2)
    assert result.status is Status.FAULT and result.fault is not None
    assert result.fault.kind is FaultKind.TRAP and result.fault.threads == (1,)


def test_stack_without_end() -> None:
    source = "__device__ __noinline__ int deep(volatile int *p, int n) { return p[0] + deep(p, n + 1) * 3; }"
    result = run(source + HEAD + "(int *out) { out[0] = deep(out, 0); }", [zeros(1)])
    assert result.status is Status.FAULT and "stack" in result.reason


def test_infinite_loop_times_out_and_says_where() -> None:
    source = HEAD + "(volatile int *flag) { if (threadIdx.x == 2) while (*flag == 0) {} }"
    result = run(source, [zeros(1)], 4, options=Options(wall_limit_s=0.2))
    assert result.status is Status.TIMEOUT and "threadIdx 2,0,0" in result.reason
    assert 0.1 < result.seconds < 2
    empty = run(HEAD + "(int *a) { for (;;) {} }", [zeros(1)], options=Options(wall_limit_s=0.1))
    assert empty.status is Status.TIMEOUT
    livelock = HEAD + "(int *a) { while (atomicAdd(a, 0) == 0) {} }"
    assert run(livelock, [zeros(1)], options=Options(wall_limit_s=0.1)).status is Status.TIMEOUT


def test_missing_lanes_are_named() -> None:
    source = (
        HEAD
        + """(int *out) { int t = threadIdx.x;
        if (t < 2) out[t] = __shfl_sync(0xf, t, 0); else __syncthreads(); }"""
    )
    result = run(source, [zeros(4)], 4)
    assert result.status is Status.FAULT and result.fault is not None
    assert result.fault.kind is FaultKind.CONVERGENCE
    assert "__shfl_sync" in result.reason and "lanes 0xc" in result.reason


def test_mask_must_name_the_own_lane() -> None:
    result = run(HEAD + "(int *out) { out[0] = __any_sync(1u, 1); }", [zeros(1)], 2)
    assert result.fault is not None and result.fault.kind is FaultKind.CONVERGENCE
    assert "lacks its own lane 1" in result.reason


# --------------------------------------------------------------------------------------------------
# Refusals


def test_syntax_error_names_the_users_line() -> None:
    result = run("// one\n" + HEAD + "(int *a)\n{\n    int t = 3\n    a[0] = t;\n}\n", [zeros(1)])
    assert result.status is Status.BAD_INPUT
    assert re.match(r"k\.cu:4:14: error: expected ';'", result.reason)
    assert "\n" not in result.reason


def test_source_that_only_a_cuda_compiler_takes_is_unsupported() -> None:
    source = HEAD + '(int *a) { asm("mov.u32 %0, %laneid;" : "=r"(a[0])); }'
    launch = Launch("k", (1, 1, 1), (1, 1, 1), (zeros(1),))
    result = LEG.run(Module(".visible .entry k()", "k.cu", "clang", source), launch, Options())
    assert result.status is Status.UNSUPPORTED and "k.cu:1" in result.reason


def test_ptx_without_source_is_unsupported() -> None:
    launch = Launch("k", (1, 1, 1), (1, 1, 1))
    result = LEG.run(Module(".visible .entry k() { ret; }", "k.ptx"), launch, Options())
    assert result.status is Status.UNSUPPORTED
    assert result.reason == "no CUDA source: native runs .cu only"


SIGNATURE = HEAD + "(int *a, int n, unsigned long long m) { a[0] = n; }"


@pytest.mark.parametrize(
    ("args", "reason"),
    [
        ([zeros(1), Scalar("i32", 1)], "k takes 3 arguments, the launch has 2"),
        ([zeros(1), zeros(1), Scalar("u64", 1)], "argument 1 is a buffer, k takes a scalar"),
        ([Scalar("u64", 1), Scalar("i32", 1), Scalar("u64", 1)], "argument 0 is a scalar, k takes a pointer"),
        ([zeros(1), Scalar("i16", 1), Scalar("u64", 1)], "argument 1 has 2 bytes, k takes 4"),
    ],
)
def test_arguments_must_be_those_of_the_kernel(args: list[Buffer | Scalar], reason: str) -> None:
    result = run(SIGNATURE, args)
    assert result.status is Status.BAD_INPUT and result.reason == reason
    assert run(SIGNATURE, [zeros(1), Scalar("u32", 1), Scalar("i64", 1)]).status is Status.OK


def test_no_such_kernel_lists_those_there_are() -> None:
    result = run(SIGNATURE, [zeros(1)], kernel="missing")
    assert result.status is Status.BAD_INPUT and result.reason == "no kernel 'missing'; the module has: k"


def test_kernels_made_by_macros_are_found_and_overloads_refused() -> None:
    made = '#define KERNEL(n) extern "C" __global__ void n\nKERNEL(made)(int *a) { a[0] = 4; }'
    assert values(made, [zeros(1)], kernel="made") == [[4]]
    overloaded = "__global__ void f(int *a) { a[0] = 1; } __global__ void f(int *a, int n) { a[0] = n; }"
    result = run(overloaded, [zeros(1)], kernel="_Z1fPi")
    assert result.status is Status.UNSUPPORTED and "overloaded" in result.reason
    empty = run("__device__ int f() { return 1; }", [zeros(1)], kernel="f")
    assert empty.status is Status.BAD_INPUT and "the module has: none" in empty.reason


def test_what_native_does_not_have_is_unsupported() -> None:
    floating = run(HEAD + "(int *a, float f) { a[0] = (int)f; }", [zeros(1), Scalar("u32", 0)])
    assert floating.status is Status.UNSUPPORTED and "floating-point" in floating.reason
    structure = run(
        "struct S { int x, y; };" + HEAD + "(int *a, S s) { a[0] = s.y; }", [zeros(1), Scalar("u64", 0)]
    )
    assert structure.status is Status.UNSUPPORTED
    warps = run(HEAD + "(int *a) { a[0] = 1; }", [zeros(1)], options=Options(warp_size=16))
    assert warps.status is Status.UNSUPPORTED and "16" in warps.reason
    large = run(HEAD + "(int *a) { a[0] = 1; }", [zeros(1)], (32, 32, 2))
    assert large.status is Status.BAD_INPUT and "2048" in large.reason


# --------------------------------------------------------------------------------------------------
# Building


def test_one_build_serves_every_launch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    leg = NativeOracle(Cache(tmp_path))
    source = HEAD + "(int *a, int n) { a[threadIdx.x] = n; }"
    first = Launch("k", (1, 1, 1), (1, 1, 1), (zeros(1), Scalar("i32", 1)))
    second = Launch("k", (1, 1, 1), (4, 1, 1), (zeros(4), Scalar("i32", 2)))
    assert leg.run(module(source), first, Options()).buffers == ((1,), None)

    def explode(*_: object) -> bytes:
        raise AssertionError("built again")

    monkeypatch.setattr("oracles.native.build._build", explode)
    assert leg.run(module(source), second, Options()).buffers == ((2, 2, 2, 2), None)
    with pytest.raises(AssertionError, match="built again"):
        leg.run(module(source + "\n"), second, Options())


def test_a_cache_that_cannot_be_written_is_no_obstacle(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")
    leg = NativeOracle(Cache(blocked))
    launch = Launch("k", (1, 1, 1), (1, 1, 1), (zeros(1),))
    assert leg.run(module(HEAD + "(int *a) { a[0] = 3; }"), launch, Options()).buffers == ((3,),)


def test_a_program_that_answers_nonsense_is_a_harness_error(tmp_path: Path) -> None:
    store = Cache(tmp_path)
    leg = NativeOracle(store)
    source = HEAD + "(int *a) { a[0] = 3; }"
    launch = Launch("k", (1, 1, 1), (1, 1, 1), (zeros(1),))
    assert leg.run(module(source), launch, Options()).status is Status.OK
    for program in tmp_path.rglob("*.exe"):
        store.put_program(program.stem, b"#!/bin/sh\necho hello\n")
    result = leg.run(module(source), launch, Options())
    assert result.status is Status.HARNESS_ERROR and "without a reply" in result.reason


def test_many_threads_with_deep_frames_and_long_runs() -> None:
    source = (
        HEAD
        + """(unsigned *out) { unsigned local[256]; unsigned x = threadIdx.x + 1;
        for (int i = 0; i < 256; ++i) { x = x * 1664525u + 1013904223u; local[i] = x;
            if (i % 64 == 0) __syncthreads(); }
        unsigned s = 0; for (int i = 0; i < 256; ++i) s ^= local[(i * 7) & 255]; out[threadIdx.x] = s; }"""
    )

    def want(thread: int) -> int:
        x, s = thread + 1, 0
        for _ in range(256):
            x = (x * 1664525 + 1013904223) % 2**32
            s ^= x
        return s

    got = values(source, [zeros(1024, "uint32")], 1024)[0]
    assert got == [want(t) for t in range(1024)]


def test_word_and_double_word_buffers_side_by_side() -> None:
    source = HEAD + "(unsigned *a, unsigned long long *b) { b[0] = (unsigned long long)a[0] << 32 | a[1]; }"
    assert values(source, [u32(1, 2), u64(0)])[1] == [(1 << 32) + 2]
