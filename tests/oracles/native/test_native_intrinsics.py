"""Every intrinsic against plain Python integers."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from native_kit import HEAD, u32, u64, values, zeros

from oracles.api import Buffer, Options, Scalar

WORD, DOUBLE = 1 << 32, 1 << 64
EDGES32 = (
    0,
    1,
    2,
    31,
    32,
    33,
    0x7FFF,
    0x8000,
    0xFFFF,
    0x7FFFFF,
    0x800000,
    0x7FFFFFFF,
    0x80000000,
    0x80000001,
    0xFFFFFFFF,
)
EDGES64 = (*EDGES32, WORD, 0x7FFFFFFFFFFFFFFF, 0x8000000000000000, DOUBLE - 1)


def s32(v: int) -> int:
    return (v + (1 << 31)) % WORD - (1 << 31)


def s64(v: int) -> int:
    return (v + (1 << 63)) % DOUBLE - (1 << 63)


def s24(v: int) -> int:
    return (v + (1 << 23)) % (1 << 24) - (1 << 23)


def reverse(v: int, bits: int) -> int:
    return int(f"{v:0{bits}b}"[::-1], 2)


def permute(a: int, b: int, s: int) -> int:
    pool = a.to_bytes(4, "little") + b.to_bytes(4, "little")
    return int.from_bytes(bytes(pool[(s >> (4 * n)) & 7] for n in range(4)), "little")


def lowest(v: int) -> int:
    return (v & -v).bit_length()


WORD_CASES: dict[str, Callable[[int, int, int], int]] = {
    "__popc(a)": lambda a, b, c: a.bit_count(),
    "__clz((int)a)": lambda a, b, c: 32 - a.bit_length(),
    "__ffs((int)a)": lambda a, b, c: lowest(a),
    "__brev(a)": lambda a, b, c: reverse(a, 32),
    "__byte_perm(a, b, c)": permute,
    "__funnelshift_l(a, b, c)": lambda a, b, c: ((b << 32 | a) << c % 32) >> 32,
    "__funnelshift_r(a, b, c)": lambda a, b, c: (b << 32 | a) >> c % 32,
    "__funnelshift_lc(a, b, c)": lambda a, b, c: ((b << 32 | a) << min(c, 32)) >> 32,
    "__funnelshift_rc(a, b, c)": lambda a, b, c: (b << 32 | a) >> min(c, 32),
    "__mulhi((int)a, (int)b)": lambda a, b, c: s32(a) * s32(b) >> 32,
    "__umulhi(a, b)": lambda a, b, c: a * b >> 32,
    "__mul24((int)a, (int)b)": lambda a, b, c: s24(a) * s24(b),
    "__umul24(a, b)": lambda a, b, c: (a & 0xFFFFFF) * (b & 0xFFFFFF),
    "__sad((int)a, (int)b, c)": lambda a, b, c: abs(s32(a) - s32(b)) + c,
    "__usad(a, b, c)": lambda a, b, c: abs(a - b) + c,
    "__hadd((int)a, (int)b)": lambda a, b, c: s32(a) + s32(b) >> 1,
    "__rhadd((int)a, (int)b)": lambda a, b, c: s32(a) + s32(b) + 1 >> 1,
    "__uhadd(a, b)": lambda a, b, c: a + b >> 1,
    "__urhadd(a, b)": lambda a, b, c: a + b + 1 >> 1,
    "abs((int)a)": lambda a, b, c: abs(s32(a)),
    "min((int)a, (int)b)": lambda a, b, c: min(s32(a), s32(b)),
    "max((int)a, (int)b)": lambda a, b, c: max(s32(a), s32(b)),
    "min(a, (int)b)": lambda a, b, c: min(a, b),
    "max((int)a, b)": lambda a, b, c: max(a, b),
    "umin(a, b)": lambda a, b, c: min(a, b),
    "umax(a, b)": lambda a, b, c: max(a, b),
    "a * b + c": lambda a, b, c: a * b + c,
    "(int)a - (int)b": lambda a, b, c: a - b,
    "(int)a * (int)b": lambda a, b, c: a * b,
    "-(int)a": lambda a, b, c: -a,
}

DOUBLE_CASES: dict[str, Callable[[int, int], int]] = {
    "__popcll(a)": lambda a, b: a.bit_count(),
    "__clzll((long long)a)": lambda a, b: 64 - a.bit_length(),
    "__ffsll((long long)a)": lambda a, b: lowest(a),
    "__brevll(a)": lambda a, b: reverse(a, 64),
    "__umul64hi(a, b)": lambda a, b: a * b >> 64,
    "__mul64hi((long long)a, (long long)b)": lambda a, b: s64(a) * s64(b) >> 64,
    "llabs((long long)a)": lambda a, b: abs(s64(a)),
    "abs((long long)a)": lambda a, b: abs(s64(a)),
    "llmin(a, b)": lambda a, b: min(s64(a), s64(b)),
    "llmax(a, b)": lambda a, b: max(s64(a), s64(b)),
    "ullmin(a, b)": min,
    "min((long long)a, b)": min,
    "max((long long)a, (long long)b)": lambda a, b: max(s64(a), s64(b)),
    "a * b": lambda a, b: a * b,
}

WORD_SOURCE = HEAD + "(const unsigned *in, unsigned *out, int n) { int t = threadIdx.x;"
WORD_SOURCE += "unsigned a = in[3 * t], b = in[3 * t + 1], c = in[3 * t + 2];"
WORD_SOURCE += (
    "".join(f"out[{len(WORD_CASES)} * t + {n}] = (unsigned)({e});" for n, e in enumerate(WORD_CASES)) + "}"
)

DOUBLE_SOURCE = HEAD + "(const unsigned long long *in, unsigned long long *out) { int t = threadIdx.x;"
DOUBLE_SOURCE += "unsigned long long a = in[2 * t], b = in[2 * t + 1];"
DOUBLE_SOURCE += "".join(
    f"out[{len(DOUBLE_CASES)} * t + {n}] = (unsigned long long)({e});" for n, e in enumerate(DOUBLE_CASES)
)
DOUBLE_SOURCE += "}"

words = st.one_of(st.sampled_from(EDGES32), st.integers(0, WORD - 1))
doubles = st.one_of(st.sampled_from(EDGES64), st.integers(0, DOUBLE - 1))
relaxed = settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def check_words(rows: list[tuple[int, int, int]]) -> None:
    flat = [v for row in rows for v in row]
    size = len(rows) * len(WORD_CASES)
    got = values(WORD_SOURCE, [u32(*flat), zeros(size, "uint32"), Scalar("i32", 0)], len(rows))[1]
    want = [function(*row) % WORD for row in rows for function in WORD_CASES.values()]
    names = [(expression, row) for row in rows for expression in WORD_CASES]
    assert list(zip(names, got, strict=True)) == list(zip(names, want, strict=True))


@relaxed
@given(st.lists(st.tuples(words, words, words), min_size=1, max_size=60))
def test_words(rows: list[tuple[int, int, int]]) -> None:
    check_words(rows)


def test_words_at_the_edges() -> None:
    rows = [
        (a, b, EDGES32[(m + n) % len(EDGES32)]) for m, a in enumerate(EDGES32) for n, b in enumerate(EDGES32)
    ]
    check_words(rows)


def test_the_check_can_fail(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(WORD_CASES, "__popc(a)", lambda a, b, c: a.bit_count() + (a == 33))
    with pytest.raises(AssertionError):
        check_words([(33, 0, 0)])


@relaxed
@given(st.lists(st.tuples(doubles, doubles), min_size=1, max_size=60))
def test_double_words(rows: list[tuple[int, int]]) -> None:
    flat = [v for row in rows for v in row]
    size = len(rows) * len(DOUBLE_CASES)
    got = values(DOUBLE_SOURCE, [u64(*flat), zeros(size, "uint64")], len(rows))[1]
    want = [function(*row) % DOUBLE for row in rows for function in DOUBLE_CASES.values()]
    names = [(expression, row) for row in rows for expression in DOUBLE_CASES]
    assert list(zip(names, got, strict=True)) == list(zip(names, want, strict=True))


# --------------------------------------------------------------------------------------------------
# Division

DIVIDE = (
    HEAD
    + """(const int *a, const int *b, int *out) { int t = threadIdx.x, n = blockDim.x;
    out[t] = a[t] / b[t]; out[n + t] = a[t] % b[t];
    out[2 * n + t] = (int)((unsigned)a[t] / (unsigned)b[t]);
    out[3 * n + t] = (int)((unsigned)a[t] % (unsigned)b[t]); }"""
)


@relaxed
@given(st.lists(st.tuples(words, words.filter(bool)), min_size=1, max_size=60))
def test_division_cuts_towards_zero(rows: list[tuple[int, int]]) -> None:
    n = len(rows)
    a = [s32(x) for x, _ in rows]
    b = [s32(y) for _, y in rows]
    got = values(DIVIDE, [Buffer("int32", tuple(a)), Buffer("int32", tuple(b)), zeros(4 * n)], n)[2]
    quotients = [abs(x) // abs(y) * (1 if (x < 0) == (y < 0) else -1) for x, y in zip(a, b, strict=True)]
    assert got[:n] == [s32(q) for q in quotients]
    assert got[n : 2 * n] == [s32(x - q * y) for x, y, q in zip(a, b, quotients, strict=True)]
    assert got[2 * n :] == [s32(x // y) for x, y in rows] + [s32(x % y) for x, y in rows]


def test_division_by_zero_is_open_and_does_not_stop_the_others() -> None:
    rows = [Buffer("int32", (7, -(2**31), 9, -9)), Buffer("int32", (0, -1, 2, 0)), zeros(16)]
    got = values(DIVIDE, rows, 4)[2]
    assert got[2] == 4 and got[6] == 1
    assert got[1] == -(2**31) and got[5] == 0
    wide = HEAD + "(const long long *a, const long long *b, long long *out) { int t = threadIdx.x;"
    wide += " out[t] = a[t] / b[t]; out[4 + t] = (unsigned long long)a[t] % (unsigned long long)b[t + 0]; }"
    args = [Buffer("int64", (1 << 40, -(2**63), 9, 5)), Buffer("int64", (3, -1, 0, 0)), zeros(8, "int64")]
    got = values(wide, args, 4)[2]
    assert got[0] == (1 << 40) // 3 and got[1] == -(2**63)


# --------------------------------------------------------------------------------------------------
# Warps

MODES = ("idx", "up", "down", "xor")
NAMES = {"idx": "__shfl_sync", "up": "__shfl_up_sync", "down": "__shfl_down_sync", "xor": "__shfl_xor_sync"}
SHUFFLES = {
    mode: HEAD
    + f"""(const unsigned long long *in, const unsigned *arg, unsigned long long *out, int width) {{
        int t = threadIdx.x; out[t] = {name}(0xffffffffu, in[t], arg[t], width); }}"""
    for mode, name in NAMES.items()
}


def shuffled(mode: str, lane: int, argument: int, width: int) -> int:
    """Source lane, after the CUDA C++ Programming Guide, "Warp Shuffle Functions"."""
    first = lane - lane % width
    argument %= 32
    if mode == "idx":
        return first + argument % width
    source = {"up": lane - argument, "down": lane + argument, "xor": lane ^ argument}[mode]
    if mode == "up":
        return source if source >= first else lane
    return source if source < first + width else lane


@pytest.mark.parametrize("mode", MODES)
@relaxed
@given(
    width=st.sampled_from((1, 2, 4, 8, 16, 32)),
    arguments=st.lists(st.one_of(st.integers(0, 40), words), min_size=64, max_size=64),
)
def test_shuffles(mode: str, width: int, arguments: list[int]) -> None:
    data = [(n * 0x9E3779B97F4A7C15) % DOUBLE for n in range(64)]
    args = [u64(*data), u32(*arguments), zeros(64, "uint64"), Scalar("i32", width)]
    got = values(SHUFFLES[mode], args, 64)[2]
    want = [data[t - t % 32 + shuffled(mode, t % 32, arguments[t], width)] for t in range(64)]
    assert got == want


def test_shuffle_from_a_lane_that_is_not_there_gives_the_own_value() -> None:
    source = (
        HEAD
        + """(int *out) { int t = threadIdx.x; if (t == 2) return;
        out[t] = __shfl_sync(0xffffffffu, t + 10, 2);
        out[8 + t] = __shfl_down_sync(0xffffffffu, t + 10, 1, 32); }"""
    )
    got = values(source, [zeros(16)], 5)[0]
    assert got[:5] == [10, 11, 0, 13, 14] and got[8:13] == [11, 11, 0, 14, 14]


VOTES = (
    HEAD
    + """(const int *in, unsigned *out) { int t = threadIdx.x; unsigned *o = out + 8 * t; int p = in[t];
    o[0] = __ballot_sync(0xffffffffu, p); o[1] = __any_sync(0xffffffffu, p); o[2] = __all_sync(0xffffffffu, p);
    o[3] = __match_any_sync(0xffffffffu, p); int all; o[4] = __match_all_sync(0xffffffffu, p, &all); o[5] = all;
    o[6] = __activemask(); o[7] = warpSize; }"""
)


@pytest.mark.parametrize("warp", [4, 32])
@pytest.mark.parametrize("data", [(0,) * 8, (3,) * 8, (1, 0, 2, 0, 1, 1, 1, 1), (0, 0, 0, 0, -1, 0, 0, 5)])
def test_votes_at_both_warp_sizes(warp: int, data: tuple[int, ...]) -> None:
    got = values(VOTES, [Buffer("int32", data), zeros(64, "uint32")], 8, options=Options(warp_size=warp))[1]
    for t in range(8):
        first = t - t % warp
        lanes = data[first : first + warp]
        same = sum(1 << n for n, v in enumerate(lanes) if v == data[t])
        full = (1 << len(lanes)) - 1
        assert got[8 * t : 8 * t + 8] == [
            sum(1 << n for n, v in enumerate(lanes) if v),
            any(lanes),
            all(lanes),
            same,
            full if same == full else 0,
            same == full,
            full,
            warp,
        ]


@pytest.mark.parametrize("seed", [None, 5, 6])
def test_subsets_of_a_warp_meet_by_mask(seed: int | None) -> None:
    source = (
        HEAD
        + """(int *out) { int t = threadIdx.x; unsigned mask = t & 1 ? 0xaaaaaaaau : 0x55555555u; int v = t;
        for (int i = 0; i < 5; ++i) { v += __shfl_xor_sync(mask, v, 2); if (t & 1) __syncwarp(mask); }
        out[t] = v; }"""
    )
    got = values(source, [zeros(32)], 32, options=Options(schedule=seed))[0]
    v = list(range(32))
    for _ in range(5):
        v = [x + v[t ^ 2] for t, x in enumerate(v)]
    assert got == v


@pytest.mark.parametrize("seed", [None, 5])
def test_active_lanes_are_those_that_come_together(seed: int | None) -> None:
    source = (
        HEAD
        + """(unsigned *out) { int t = threadIdx.x; unsigned m;
        if (t % 3 == 0) m = __activemask(); else { m = __activemask() + 0; if (t == 1) m = __activemask(); }
        out[t] = m; __syncthreads(); out[8 + t] = __activemask(); }"""
    )
    got = values(source, [zeros(16, "uint32")], 8, options=Options(schedule=seed))[0]
    thirds, others = 0b01001001, 0b10110110
    assert got[:8] == [thirds, 1 << 1, others, thirds, others, others, thirds, others]
    assert got[8:] == [0xFF] * 8


# --------------------------------------------------------------------------------------------------
# Atomics

ATOMIC_INT = {
    "atomicAdd": lambda old, v: old + v,
    "atomicSub": lambda old, v: old - v,
    "atomicExch": lambda old, v: v,
    "atomicMin": min,
    "atomicMax": max,
    "atomicAnd": lambda old, v: old & v,
    "atomicOr": lambda old, v: old | v,
    "atomicXor": lambda old, v: old ^ v,
}
ATOMIC_WORD = {
    "atomicInc": lambda old, v: 0 if old >= v else old + 1,
    "atomicDec": lambda old, v: v if old == 0 or old > v else old - 1,
}


@pytest.mark.parametrize(
    ("type_name", "dtype"), [("int", "int32"), ("unsigned", "uint32"), ("unsigned long long", "uint64")]
)
@pytest.mark.parametrize("space", ["global", "shared"])
def test_atomics(type_name: str, dtype: str, space: str) -> None:
    bits = 64 if dtype == "uint64" else 32
    signed = dtype == "int32"
    table: dict[str, Callable[[int, int], int]] = dict(ATOMIC_INT)
    if dtype == "uint32":
        table |= ATOMIC_WORD
    if bits == 64:
        del table["atomicSub"]
    top = 1 << (bits - 1)
    pairs = [(5, 3), (0, 0), (3, 5), (top - 1, 1), (-top, -1), (-1, 1), (-top, top - 1), (9, 9), (10, 9)]
    calls = "".join(
        f"{{ {type_name} *p = {'out + at' if space == 'global' else '&s'}; "
        "if (p == &s) s = in[2 * t]; else *p = in[2 * t];"
        f"out[at + 1] = {name}(p, in[2 * t + 1]); out[at] = *p; at += 2; }}"
        for name in table
    )
    source = HEAD + f"(const {type_name} *in, {type_name} *out) {{ __shared__ {type_name} s;"
    source += f"for (int t = 0; t < {len(pairs)}; ++t) {{ int at = t * {2 * len(table)}; {calls} }} }}"

    def fit(v: int) -> int:
        v %= 1 << bits
        return v - (1 << bits) if signed and v >= top else v

    data = [fit(v) for pair in pairs for v in pair]
    size = 2 * len(pairs) * len(table)
    got = values(source, [Buffer(dtype, tuple(data)), zeros(size, dtype)])[1]
    want = []
    for n in range(len(pairs)):
        old, v = data[2 * n], data[2 * n + 1]
        for function in table.values():
            want += [fit(function(old, v)), old]
    assert got == want


def test_compare_and_swap_of_each_width() -> None:
    source = (
        HEAD
        + """(int *a, unsigned long long *b, unsigned short *c, int *old) {
        old[0] = atomicCAS(a, 5, 6); old[1] = atomicCAS(a + 1, 5, 6);
        old[2] = atomicCAS(b, 5ull, ~0ull) == 5; old[3] = atomicCAS(b + 1, 5ull, 7ull) == 6;
        old[4] = atomicCAS(c + 1, (unsigned short)5, (unsigned short)65535);
        old[5] = atomicCAS(c + 2, (unsigned short)5, (unsigned short)6); }"""
    )
    args = [Buffer("int32", (5, 4)), u64(5, 6), Buffer("uint16", (1, 5, 7, 9)), zeros(6)]
    assert values(source, args) == [[6, 4], [DOUBLE - 1, 6], [1, 65535, 7, 9], [5, 4, 1, 1, 5, 7]]


def test_signed_double_word_minimum_and_maximum() -> None:
    source = (
        HEAD + "(long long *a) { atomicMin(a, -5ll); atomicMax(a + 1, -5ll); a[2] = atomicXor(a + 3, 3ll); }"
    )
    assert values(source, [Buffer("int64", (4, -9, 0, 6))]) == [[-5, -5, 6, 5]]
