"""Every instruction's expansion against plain Python integers."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from select_kit import bits, one, run, signed


class Row(NamedTuple):
    """``instr`` over operands a0, a1, ...; ``want`` gives d0 (cut to ``result`` bits) from their values."""

    instr: str
    result: int
    operands: tuple[int, ...]
    want: Callable[..., int]


def s(value: int, width: int = 32) -> int:
    return signed(value, width)


def clamp(value: int, low: int, high: int) -> int:
    return max(low, min(high, value))


def sats(value: int, width: int = 32) -> int:
    return clamp(value, -(1 << (width - 1)), (1 << (width - 1)) - 1)


def s24(value: int) -> int:
    return signed(value, 24)


def bfe(a: int, pos: int, length: int, width: int, is_signed: bool) -> int:
    """The loop of the PTX ISA."""
    pos, length = pos & 255, length & 255
    top = width - 1
    fill = a >> min(pos + length - 1, top) & 1 if is_signed and length else 0
    out = 0
    for i in range(width):
        bit = a >> (pos + i) & 1 if i < length and pos + i <= top else fill
        out |= bit << i
    return out


def bfi(a: int, b: int, pos: int, length: int, width: int) -> int:
    pos, length = pos & 255, length & 255
    for i in range(length):
        if pos + i < width:
            b = b & ~(1 << (pos + i)) | (a >> i & 1) << (pos + i)
    return b


def bfind(a: int, width: int, is_signed: bool, shiftamt: bool) -> int:
    if is_signed and a >> (width - 1):
        a = ~a & (1 << width) - 1
    if not a:
        return 0xFFFFFFFF
    return width - a.bit_length() if shiftamt else a.bit_length() - 1


def prmt(a: int, b: int, c: int) -> int:
    pool = [(b << 32 | a) >> 8 * n & 255 for n in range(8)]
    out = 0
    for n in range(4):
        nibble = c >> 4 * n & 15
        byte = pool[nibble & 7]
        out |= ((255 if byte >> 7 else 0) if nibble & 8 else byte) << 8 * n
    return out


def reverse(a: int, width: int) -> int:
    return int(format(a, f"0{width}b")[::-1], 2)


def shl(a: int, n: int, width: int) -> int:
    return a << n if n < width else 0


def shr(a: int, n: int) -> int:
    return a >> min(n, 200)


def funnel(a: int, b: int, n: int, left: bool, wrap: bool) -> int:
    n = n & 31 if wrap else min(n, 32)
    pair = b << 32 | a
    return (pair << n) >> 32 if left else pair >> n


def dp(a: int, b: int, c: int, signs: tuple[bool, bool], halves: str = "") -> int:
    def part(word: int, n: int, width: int, is_signed: bool) -> int:
        value = word >> width * n & (1 << width) - 1
        return signed(value, width) if is_signed else value

    if not halves:
        return c + sum(part(a, n, 8, signs[0]) * part(b, n, 8, signs[1]) for n in range(4))
    first = 0 if halves == "lo" else 2
    return c + sum(part(a, n, 16, signs[0]) * part(b, first + n, 8, signs[1]) for n in range(2))


def mode_selector(mode: str, c: int) -> int:
    c &= 3
    return {
        "f4e": 0x3210 + 0x1111 * c,
        "b4e": (0x5670, 0x6701, 0x7012, 0x0123)[c],
        "rc8": 0x1111 * c,
        "ecl": (0x3210, 0x3211, 0x3222, 0x3333)[c],
        "ecr": (0x0000, 0x1110, 0x2210, 0x3210)[c],
        "rc16": (0x1010, 0x3232)[c & 1],
    }[mode]


ROWS: list[Row] = []


def row(instr: str, result: int, operands: tuple[int, ...], want: Callable[..., int]) -> None:
    ROWS.append(Row(instr, result, operands, want))


for w in (16, 32, 64):
    row(f"add.s{w} d0, a0, a1;", w, (w, w), lambda a, b: a + b)
    row(f"sub.s{w} d0, a0, a1;", w, (w, w), lambda a, b: a - b)
    row(f"mul.lo.s{w} d0, a0, a1;", w, (w, w), lambda a, b: a * b)
    row(f"mad.lo.u{w} d0, a0, a1, a2;", w, (w, w, w), lambda a, b, c: a * b + c)
    row(f"neg.s{w} d0, a0;", w, (w,), lambda a: -a)
    row(f"abs.s{w} d0, a0;", w, (w,), lambda a, w=w: abs(s(a, w)))
    row(f"not.b{w} d0, a0;", w, (w,), lambda a: ~a)
    row(f"cnot.b{w} d0, a0;", w, (w,), lambda a: int(a == 0))
    row(f"and.b{w} d0, a0, a1;", w, (w, w), lambda a, b: a & b)
    row(f"or.b{w} d0, a0, a1;", w, (w, w), lambda a, b: a | b)
    row(f"xor.b{w} d0, a0, a1;", w, (w, w), lambda a, b: a ^ b)
    row(f"shl.b{w} d0, a0, a1;", w, (w, 32), lambda a, n, w=w: shl(a, n, w))
    row(f"shr.u{w} d0, a0, a1;", w, (w, 32), shr)
    row(f"shr.s{w} d0, a0, a1;", w, (w, 32), lambda a, n, w=w: shr(s(a, w), n))
    row(f"selp.b{w} d0, a0, a1, a2;", w, (w, w, 1), lambda a, b, p: a if p else b)
    row(f"slct.u{w}.s32 d0, a0, a1, a2;", w, (w, w, 32), lambda a, b, c: a if s(c) >= 0 else b)
    row(f"sad.u{w} d0, a0, a1, a2;", w, (w, w, w), lambda a, b, c: c + abs(a - b))
    row(f"sad.s{w} d0, a0, a1, a2;", w, (w, w, w), lambda a, b, c, w=w: c + abs(s(a, w) - s(b, w)))
    for name, pick in (("min", min), ("max", max)):
        row(f"{name}.u{w} d0, a0, a1;", w, (w, w), lambda a, b, f=pick: f(a, b))
        row(f"{name}.s{w} d0, a0, a1;", w, (w, w), lambda a, b, f=pick, w=w: f(s(a, w), s(b, w)))
    for name, holds in (
        ("eq", lambda a, b: a == b),
        ("ne", lambda a, b: a != b),
        ("lt", lambda a, b: a < b),
        ("le", lambda a, b: a <= b),
        ("gt", lambda a, b: a > b),
        ("ge", lambda a, b: a >= b),
    ):
        row(f"setp.{name}.u{w} d0, a0, a1;", 1, (w, w), lambda a, b, t=holds: t(a, b))
        row(f"setp.{name}.s{w} d0, a0, a1;", 1, (w, w), lambda a, b, t=holds, w=w: t(s(a, w), s(b, w)))
    for name, holds in (
        ("lo", lambda a, b: a < b),
        ("ls", lambda a, b: a <= b),
        ("hi", lambda a, b: a > b),
        ("hs", lambda a, b: a >= b),
    ):
        row(f"setp.{name}.u{w} d0, a0, a1;", 1, (w, w), lambda a, b, t=holds: t(a, b))
    for to in (8, 16, 32, 64):
        for sign in "us":
            register = max(to, 16)

            def low(a: int, to: int = to, sign: str = sign) -> int:
                return s(a, to) if sign == "s" else a & (1 << to) - 1

            row(f"cvt.{sign}{to}.u{w} d0, a0;", register, (w,), low)
            row(f"cvt.{sign}{to}.s{w} d0, a0;", register, (w,), lambda a, w=w, f=low: f(s(a, w)))
            top = (1 << (to - (sign == "s"))) - 1
            bottom = -top - 1 if sign == "s" else 0
            row(f"cvt.sat.{sign}{to}.u{w} d0, a0;", register, (w,), lambda a, t=top: min(a, t))
            row(
                f"cvt.sat.{sign}{to}.s{w} d0, a0;",
                register,
                (w,),
                lambda a, w=w, t=top, b=bottom: clamp(s(a, w), b, t),
            )

for w in (16, 32):
    row(f"mul.wide.u{w} d0, a0, a1;", 2 * w, (w, w), lambda a, b: a * b)
    row(f"mul.wide.s{w} d0, a0, a1;", 2 * w, (w, w), lambda a, b, w=w: s(a, w) * s(b, w))
    row(f"mad.wide.u{w} d0, a0, a1, a2;", 2 * w, (w, w, 2 * w), lambda a, b, c: a * b + c)
    row(f"mad.wide.s{w} d0, a0, a1, a2;", 2 * w, (w, w, 2 * w), lambda a, b, c, w=w: s(a, w) * s(b, w) + c)
    row(f"mul.hi.u{w} d0, a0, a1;", w, (w, w), lambda a, b, w=w: a * b >> w)
    row(f"mul.hi.s{w} d0, a0, a1;", w, (w, w), lambda a, b, w=w: s(a, w) * s(b, w) >> w)
    row(f"mad.hi.u{w} d0, a0, a1, a2;", w, (w, w, w), lambda a, b, c, w=w: (a * b >> w) + c)
    row(f"mad.hi.s{w} d0, a0, a1, a2;", w, (w, w, w), lambda a, b, c, w=w: (s(a, w) * s(b, w) >> w) + c)

row("add.sat.s32 d0, a0, a1;", 32, (32, 32), lambda a, b: sats(s(a) + s(b)))
row("sub.sat.s32 d0, a0, a1;", 32, (32, 32), lambda a, b: sats(s(a) - s(b)))
row(
    "mad.hi.sat.s32 d0, a0, a1, a2;",
    32,
    (32, 32, 32),
    lambda a, b, c: sats((s(a) * s(b) >> 32) + s(c)),
)
row("mul24.lo.u32 d0, a0, a1;", 32, (32, 32), lambda a, b: (a & 0xFFFFFF) * (b & 0xFFFFFF))
row("mul24.hi.u32 d0, a0, a1;", 32, (32, 32), lambda a, b: (a & 0xFFFFFF) * (b & 0xFFFFFF) >> 16)
row("mul24.lo.s32 d0, a0, a1;", 32, (32, 32), lambda a, b: s24(a) * s24(b))
row("mul24.hi.s32 d0, a0, a1;", 32, (32, 32), lambda a, b: s24(a) * s24(b) >> 16)
row("mad24.lo.s32 d0, a0, a1, a2;", 32, (32, 32, 32), lambda a, b, c: s24(a) * s24(b) + c)
row(
    "mad24.hi.sat.s32 d0, a0, a1, a2;",
    32,
    (32, 32, 32),
    lambda a, b, c: sats(s(s24(a) * s24(b) >> 16) + s(c)),
)
for u, v in (("u", "u"), ("u", "s"), ("s", "u"), ("s", "s")):
    signs = (u == "s", v == "s")
    row(
        f"dp4a.{u}32.{v}32 d0, a0, a1, a2;",
        32,
        (32, 32, 32),
        lambda a, b, c, k=signs: dp(a, b, c, k),
    )
    for half in ("lo", "hi"):
        row(
            f"dp2a.{half}.{u}32.{v}32 d0, a0, a1, a2;",
            32,
            (32, 32, 32),
            lambda a, b, c, k=signs, h=half: dp(a, b, c, k, h),
        )
for left in (True, False):
    for wrap in (True, False):
        row(
            f"shf.{'l' if left else 'r'}.{'wrap' if wrap else 'clamp'}.b32 d0, a0, a1, a2;",
            32,
            (32, 32, 32),
            lambda a, b, n, left=left, wrap=wrap: funnel(a, b, n, left, wrap),
        )
for w in (32, 64):
    row(f"popc.b{w} d0, a0;", 32, (w,), lambda a: bin(a).count("1"))
    row(f"clz.b{w} d0, a0;", 32, (w,), lambda a, w=w: w - a.bit_length())
    row(f"brev.b{w} d0, a0;", w, (w,), lambda a, w=w: reverse(a, w))
    for sign in "us":
        row(
            f"bfe.{sign}{w} d0, a0, a1, a2;",
            w,
            (w, 32, 32),
            lambda a, p, n, w=w, k=sign: bfe(a, p, n, w, k == "s"),
        )
        row(f"bfind.{sign}{w} d0, a0;", 32, (w,), lambda a, w=w, k=sign: bfind(a, w, k == "s", False))
        row(
            f"bfind.shiftamt.{sign}{w} d0, a0;",
            32,
            (w,),
            lambda a, w=w, k=sign: bfind(a, w, k == "s", True),
        )
    row(
        f"bfi.b{w} d0, a0, a1, a2, a3;",
        w,
        (w, w, 32, 32),
        lambda a, b, p, n, w=w: bfi(a, b, p, n, w),
    )
row("prmt.b32 d0, a0, a1, a2;", 32, (32, 32, 32), prmt)
for mode in ("f4e", "b4e", "rc8", "ecl", "ecr", "rc16"):
    row(
        f"prmt.b32.{mode} d0, a0, a1, a2;",
        32,
        (32, 32, 32),
        lambda a, b, c, m=mode: prmt(a, b, mode_selector(m, c)),
    )
for name, holds in (("lt", lambda a, b: a < b), ("eq", lambda a, b: a == b)):
    row(
        f"set.{name}.u32.s32 d0, a0, a1;",
        32,
        (32, 32),
        lambda a, b, t=holds: -1 if t(s(a), s(b)) else 0,
    )
    row(
        f"set.{name}.and.s32.u32 d0, a0, a1, a2;",
        32,
        (32, 32, 1),
        lambda a, b, p, t=holds: -1 if t(a, b) and p else 0,
    )
for name, combine in (
    ("and", lambda x, y: x and y),
    ("or", lambda x, y: x or y),
    ("xor", lambda x, y: x != y),
):
    row(
        f"setp.lt.{name}.s32 d0, a0, a1, a2;",
        1,
        (32, 32, 1),
        lambda a, b, p, f=combine: f(s(a) < s(b), bool(p)),
    )
    row(
        f"setp.ge.{name}.u32 d0, a0, a1, !a2;",
        1,
        (32, 32, 1),
        lambda a, b, p, f=combine: f(a >= b, not p),
    )
    row(f"{name}.pred d0, a0, a1;", 1, (1, 1), lambda a, b, f=combine: f(bool(a), bool(b)))
row("not.pred d0, a0;", 1, (1,), lambda a: not a)
row("mov.b64 d0, {a0, a1};", 64, (32, 32), lambda a, b: b << 32 | a)
row("mov.b32 d0, {a0, a1};", 32, (16, 16), lambda a, b: b << 16 | a)
row("mov.b64 d0, {a0, a1, a2, a3};", 64, (16,) * 4, lambda *v: sum(x << 16 * n for n, x in enumerate(v)))
row(
    "szext.clamp.s32 d0, a0, a1;",
    32,
    (32, 32),
    lambda a, n: 0 if n == 0 else s(a, min(n, 32)),
)
row("szext.wrap.u32 d0, a0, a1;", 32, (32, 32), lambda a, n: a & (1 << (n & 31)) - 1)
row("bmsk.clamp.b32 d0, a0, a1;", 32, (32, 32), lambda p, n: shl((1 << min(n, 32)) - 1, p, 32))
row("bmsk.wrap.b32 d0, a0, a1;", 32, (32, 32), lambda p, n: ((1 << (n & 31)) - 1) << (p & 31))


@pytest.mark.parametrize("case", ROWS, ids=lambda case: case.instr.split(" ")[0])
def test_instruction_matches_integers(case: Row) -> None:
    compare(case)


def test_a_wrong_expectation_is_found() -> None:
    with pytest.raises(AssertionError):
        compare(
            Row(
                "shf.l.wrap.b32 d0, a0, a1, a2;", 32, (32, 32, 32), lambda a, b, n: funnel(a, b, n, True, False)
            )
        )


def compare(case: Row) -> None:
    @settings(max_examples=40, deadline=None, database=None)
    @given(st.tuples(*(bits(width) for width in case.operands)), st.data())
    def check(values: tuple[int, ...], data: st.DataObject) -> None:
        want = int(case.want(*values)) & (1 << case.result) - 1
        assert one(case.instr, case.result, case.operands, values) == want
        # The same with one operand as a constant, which folds and takes other paths.
        wide = [n for n, width in enumerate(case.operands) if width > 1]
        if len(case.operands) > 1 and wide and "{" not in case.instr:
            chosen = data.draw(st.sampled_from(wide))
            head, _, tail = case.instr.partition("d0,")
            text = f"{head}d0,{tail.replace(f'a{chosen}', str(values[chosen]))}"
            assert one(text, case.result, case.operands, values) == want

    check()


@settings(max_examples=150, deadline=None)
@given(st.integers(0, 255), bits(32), bits(32), bits(32))
def test_lop3_matches_its_table(table: int, a: int, b: int, c: int) -> None:
    want = sum((table >> ((a >> n & 1) << 2 | (b >> n & 1) << 1 | (c >> n & 1)) & 1) << n for n in range(32))
    assert one(f"lop3.b32 d0, a0, a1, a2, {table};", 32, (32, 32, 32), (a, b, c)) == want


@settings(max_examples=60, deadline=None)
@given(bits(64), bits(64))
def test_two_results(a: int, b: int) -> None:
    got = run("setp.lt.s64 d0|d1, a0, a1;", (1, 1), (64, 64), (a, b))
    assert got == [int(s(a, 64) < s(b, 64)), int(s(a, 64) >= s(b, 64))]
    assert run("mov.b64 {d0, d1}, a0;", (32, 32), (64,), (a,)) == [a & 0xFFFFFFFF, a >> 32]
    assert run("mov.b32 {d0, d1}, a0;", (16, 16), (32,), (a & 0xFFFFFFFF,)) == [a & 0xFFFF, a >> 16 & 0xFFFF]


@settings(max_examples=80, deadline=None)
@given(bits(32), bits(32), bits(32), bits(32))
def test_carry_chains(a: int, b: int, c: int, d: int) -> None:
    x, y = b << 32 | a, d << 32 | c
    add = "add.cc.u32 d0, a0, a2; addc.cc.u32 d1, a1, a3; addc.u32 d2, 0, 0;"
    total = x + y
    assert run(add, (32, 32, 32), (32,) * 4, (a, b, c, d)) == [
        total & 0xFFFFFFFF,
        total >> 32 & 0xFFFFFFFF,
        total >> 64,
    ]
    sub = "sub.cc.u32 d0, a0, a2; subc.cc.u32 d1, a1, a3; subc.u32 d2, 0, 0;"
    total = x - y
    assert run(sub, (32, 32, 32), (32,) * 4, (a, b, c, d)) == [
        total & 0xFFFFFFFF,
        total >> 32 & 0xFFFFFFFF,
        total >> 64 & 0xFFFFFFFF,
    ]
    mad = "mad.lo.cc.u32 d0, a0, a1, a2; madc.hi.u32 d1, a0, a1, a3;"
    total = a * b + y
    assert run(mad, (32, 32), (32,) * 4, (a, b, c, d)) == [total & 0xFFFFFFFF, total >> 32 & 0xFFFFFFFF]


@settings(max_examples=40, deadline=None)
@given(bits(64), bits(64), st.booleans())
def test_carry_chains_of_double_words(a: int, b: int, subtract: bool) -> None:
    name = "sub" if subtract else "add"
    total = a - b if subtract else a + b
    got = run(f"{name}.cc.u64 d0, a0, a1; {name}c.u64 d1, 5, 3;", (64, 64), (64, 64), (a, b))
    high = (2 - (total < 0) if subtract else 8 + (total >> 64)) & (1 << 64) - 1
    assert got == [total & (1 << 64) - 1, high]


@settings(max_examples=60, deadline=None)
@given(bits(32), bits(32), bits(1), bits(64), bits(64))
def test_guarded_instructions_keep_the_old_value(a: int, b: int, p: int, x: int, y: int) -> None:
    text = "mov.u32 d0, a1; @a2 add.u32 d0, a0, a1; @!a2 sub.u32 d0, d0, a0;"
    want = (a + b if p else b - a) & 0xFFFFFFFF
    assert one(text, 32, (32, 32, 1), (a, b, p)) == want
    text = "mov.b64 d0, a1; @a2 add.u64 d0, d0, a0; @!a2 shl.b64 d0, a0, 3;"
    want = (x + y if p else x << 3) & (1 << 64) - 1
    assert one(text, 64, (64, 64, 1), (x, y, p)) == want
    text = "setp.lt.s32 d0, a0, a1; @d0 setp.eq.u32 d0, a0, a0; @!d0 setp.ne.u32 d0, a0, a0;"
    assert one(text, 1, (32, 32), (a, b)) == int(s(a) < s(b))


@settings(max_examples=40, deadline=None)
@given(bits(32), bits(32))
def test_swaps(a: int, b: int) -> None:
    """Several destinations are assigned at once."""
    text = (
        ".reg .b64 t; mov.b32 d0, a0; mov.b32 d1, a1; mov.b64 t, {d1, d0}; mov.b64 {d0, d1}, t;"
        "mov.b64 t, {d0, d1}; mov.b64 {d1, d0}, t;"
    )
    assert run(text, (32, 32), (32, 32), (a, b)) == [a, b]
