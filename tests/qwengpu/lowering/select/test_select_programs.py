"""Random programs with reused registers, pointers, guards, loops and branches, against a direct interpreter.

They try what selection assumes when it folds: that folded operands are unchanged between definition and use.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from hypothesis import given, settings
from hypothesis import strategies as st
from mir_machine import BASE, launch
from select_kit import kernel

from qwengpu.lowering.check_mir import check_mir
from qwengpu.lowering.select import select
from qwengpu.spec import SEED

M32, M64 = (1 << 32) - 1, (1 << 64) - 1
WORDS, WIDES, PREDS, POINTERS = 4, 3, 2, 3
SIZE = 16


@dataclass
class State:
    """Registers r (32 bits), x (64), p, q (pointers into the buffer), memory words."""

    r: list[int]
    x: list[int]
    p: list[int]
    q: list[int]
    memory: list[int]


Effect = Callable[[State], None]
Step = tuple[str, Effect]


def sx(value: int) -> int:
    return (value ^ 1 << 31) - (1 << 31)


@st.composite
def steps(draw: st.DrawFn) -> Step:
    """One or a few instructions and what they do."""
    word = st.integers(0, WORDS - 1)
    a, b, d = draw(word), draw(word), draw(word)
    x, y, z = (draw(st.integers(0, WIDES - 1)) for _ in range(3))
    p, g = draw(st.integers(0, PREDS - 1)), draw(st.integers(0, PREDS - 1))
    q, t = (draw(st.integers(0, POINTERS - 1)) for _ in range(2))
    k = draw(st.integers(0, 7))

    def index(state: State, pointer: int) -> int:
        return (pointer - BASE) // 4

    choices: list[Step] = [
        (f"add.u32 r{d}, r{a}, r{b};", lambda s: s.r.__setitem__(d, s.r[a] + s.r[b] & M32)),
        (f"mov.b32 r{d}, r{a};", lambda s: s.r.__setitem__(d, s.r[a])),
        (f"mov.b32 r{d}, {k};", lambda s: s.r.__setitem__(d, k)),
        (f"sub.u32 r{d}, r{a}, {k};", lambda s: s.r.__setitem__(d, s.r[a] - k & M32)),
        (f"mul.wide.u32 x{x}, r{a}, {1 << k % 5};", lambda s: s.x.__setitem__(x, s.r[a] << k % 5)),
        (f"mul.wide.s32 x{x}, r{a}, r{b};", lambda s: s.x.__setitem__(x, sx(s.r[a]) * sx(s.r[b]) & M64)),
        (f"cvt.s64.s32 x{x}, r{a};", lambda s: s.x.__setitem__(x, sx(s.r[a]) & M64)),
        (f"cvt.u32.u64 r{d}, x{x};", lambda s: s.r.__setitem__(d, s.x[x] & M32)),
        (f"add.s64 x{x}, x{y}, x{z};", lambda s: s.x.__setitem__(x, s.x[y] + s.x[z] & M64)),
        (f"sub.s64 x{x}, x{y}, x{z};", lambda s: s.x.__setitem__(x, s.x[y] - s.x[z] & M64)),
        (f"mov.b64 x{x}, x{y};", lambda s: s.x.__setitem__(x, s.x[y])),
        (f"shl.b64 x{x}, x{y}, {k};", lambda s: s.x.__setitem__(x, s.x[y] << k & M64)),
        (f"mov.b64 x{x}, {{r{a}, r{b}}};", lambda s: s.x.__setitem__(x, s.r[b] << 32 | s.r[a])),
        (f"setp.lt.s32 p{p}, r{a}, r{b};", lambda s: s.p.__setitem__(p, int(sx(s.r[a]) < sx(s.r[b])))),
        (f"setp.lt.u64 p{p}, x{x}, x{y};", lambda s: s.p.__setitem__(p, int(s.x[x] < s.x[y]))),
        (f"xor.pred p{p}, p{p}, p{g};", lambda s: s.p.__setitem__(p, s.p[p] ^ s.p[g])),
        (f"selp.b32 r{d}, r{a}, r{b}, p{p};", lambda s: s.r.__setitem__(d, s.r[a] if s.p[p] else s.r[b])),
        (f"selp.b64 q{q}, q{q}, q{t}, p{p};", lambda s: s.q.__setitem__(q, s.q[q] if s.p[p] else s.q[t])),
        (f"mov.b64 q{q}, q{t};", lambda s: s.q.__setitem__(q, s.q[t])),
        (f"sub.s64 x{x}, q{q}, q{t};", lambda s: s.x.__setitem__(x, s.q[q] - s.q[t] & M64)),
        (f"ld.global.u32 r{d}, [q{q}];", lambda s: s.r.__setitem__(d, s.memory[index(s, s.q[q])])),
        (f"st.global.u32 [q{q}], r{a};", lambda s: s.memory.__setitem__(index(s, s.q[q]), s.r[a])),
        (
            f"and.b32 r{d}, r{a}, 7; mul.wide.u32 x{x}, r{d}, 4; add.s64 q{q}, %base, x{x};",
            lambda s: (
                s.r.__setitem__(d, s.r[a] & 7),
                s.x.__setitem__(x, s.r[d] * 4),
                s.q.__setitem__(q, BASE + s.x[x]),
            ),
        ),
        (
            # The index changes between the address computation and the access.
            f"{{ .reg .b64 o, m; and.b32 r{a}, r{a}, 7; mul.wide.s32 o, r{a}, 4; add.s64 m, %base, o;"
            f" add.u32 r{a}, r{a}, 1; ld.global.u32 r{d}, [m+{4 * k}]; }}",
            lambda s: read_then(s, a, d, k),
        ),
        (
            f"{{ .reg .b32 i; .reg .b64 t; mov.b32 i, r{a}; mov.b64 t, {{r{b}, i}};"
            f" mov.b64 {{r{a}, r{b}}}, t; }}",
            lambda s: swap(s, a, b),
        ),
        (
            f"mul.wide.u32 x{x}, r{d}, 4; and.b64 x{x}, x{x}, 28; add.s64 x{x}, x{x}, q{q};"
            f" sub.s64 x{x}, x{x}, q{q}; add.s64 q{t}, %base, x{x};",
            lambda s: (s.x.__setitem__(x, s.r[d] * 4 & 28), s.q.__setitem__(t, BASE + s.x[x])),
        ),
    ]
    text, effect = draw(st.sampled_from(choices))
    if "{" not in text and text.count(";") == 1 and draw(st.integers(0, 3)) == 0:
        negated = draw(st.booleans())
        return f"@{'!' if negated else ''}p{g} {text}", lambda s: effect(s) if s.p[g] != negated else None
    return text, effect


def swap(s: State, a: int, b: int) -> None:
    low, high = s.r[b], s.r[a]
    s.r[a] = low
    s.r[b] = high


def read_then(s: State, a: int, d: int, k: int) -> None:
    at = (s.r[a] & 7) + k
    s.r[a] = (s.r[a] & 7) + 1
    s.r[d] = s.memory[at]


segment = st.lists(steps(), max_size=7)


@settings(max_examples=200, deadline=None)
@given(
    st.tuples(segment, segment, segment, segment),
    st.integers(1, 3),
    st.lists(st.integers(0, M32), min_size=WORDS, max_size=WORDS),
    st.lists(st.integers(0, M64), min_size=WIDES, max_size=WIDES),
    st.lists(st.integers(0, M32), min_size=SIZE, max_size=SIZE),
)
def test_random_programs(
    segments: tuple[list[Step], ...], trips: int, words: list[int], wides: list[int], memory: list[int]
) -> None:
    before, loop, branch, after = segments
    text = ptx([[step[0] for step in part] for part in segments], trips)
    function = select(text, None, SEED)
    check_mir(function)
    buffer = bytearray(b"".join(word.to_bytes(4, "little") for word in memory))
    out = bytearray(4 * WORDS + 8 * WIDES + 8 * POINTERS)
    arguments: list[bytes | bytearray] = [buffer, out]
    arguments += [word.to_bytes(4, "little") for word in words]
    arguments += [wide.to_bytes(8, "little") for wide in wides]
    (got_memory, got), _ = launch(function, SEED, arguments)

    state = State(list(words), list(wides), [0] * PREDS, [BASE] * POINTERS, list(memory))
    for _, effect in before:
        effect(state)
    state.r[1] &= 7
    kept, early = state.r[1], state.r[2]
    for _ in range(trips):
        for _, effect in loop:
            effect(state)
    state.r[3] = state.memory[kept + 1] ^ early
    if state.p[0]:
        for _, effect in branch:
            effect(state)
    for _, effect in after:
        effect(state)
    want = b"".join(v.to_bytes(4, "little") for v in state.r)
    want += b"".join(v.to_bytes(8, "little") for v in (*state.x, *state.q))
    assert got == want, text
    assert got_memory == b"".join(word.to_bytes(4, "little") for word in state.memory), text


def ptx(segments: list[list[str]], trips: int) -> str:
    """before; a loop that runs ``trips`` times; a branch on p0; after; everything stored."""
    before, loop, branch, after = (["\n".join(part)] for part in segments)
    params = [".param .u64 memory", ".param .u64 out"]
    params += [f".param .u32 r{n}_" for n in range(WORDS)] + [f".param .u64 x{n}_" for n in range(WIDES)]
    lines = [
        ".reg .b32 %count, %early; .reg .b64 %base, %out, %o, %m; .reg .pred %more;",
        ".reg .b32 r<4>; .reg .b64 x<3>; .reg .pred p<2>; .reg .b64 q<3>;",
        "ld.param.u64 %base, [memory]; cvta.to.global.u64 %base, %base; ld.param.u64 %out, [out];",
        *(f"ld.param.u32 r{n}, [r{n}_];" for n in range(WORDS)),
        *(f"ld.param.u64 x{n}, [x{n}_];" for n in range(WIDES)),
        *(f"setp.ne.u32 p{n}, 0, 0;" for n in range(PREDS)),
        *(f"mov.b64 q{n}, %base;" for n in range(POINTERS)),
        *before,
        # Values that have to survive the loop, whatever it does to r1 and r2.
        "and.b32 r1, r1, 7; mul.wide.u32 %o, r1, 4; add.s64 %m, %base, %o; mov.b32 %early, r2;",
        f"mov.b32 %count, {trips};",
        "LOOP:",
        *loop,
        "sub.u32 %count, %count, 1; setp.ne.u32 %more, %count, 0; @%more bra LOOP;",
        "ld.global.u32 r3, [%m+4]; xor.b32 r3, r3, %early;",
        "@!p0 bra AFTER;",
        *branch,
        "AFTER:",
        *after,
        *(f"st.global.u32 [%out+{4 * n}], r{n};" for n in range(WORDS)),
        *(f"st.global.u64 [%out+{4 * WORDS + 8 * n}], x{n};" for n in range(WIDES)),
        *(f"st.global.u64 [%out+{4 * WORDS + 8 * WIDES + 8 * n}], q{n};" for n in range(POINTERS)),
        "ret;",
    ]
    return kernel("\n".join(lines), ", ".join(params))
