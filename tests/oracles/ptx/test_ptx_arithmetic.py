"""Integer arithmetic, logic, shifts, comparisons and conversions against plain Python integers."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable
from dataclasses import dataclass

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ptx_kit import lanewise


def s(value: int, bits: int) -> int:
    """Two's complement reading."""
    value %= 1 << bits
    return value - (1 << bits) if value >= 1 << (bits - 1) else value


def edges(bits: int) -> list[int]:
    """Values at which operations change their ways."""
    top = 1 << bits
    found = [0, 1, 2, 3, 7, 8, 15, 16, 31, 32, 33, 63, 64, 255, 256, top - 1, top - 2, top // 2, top // 2 - 1]
    found += [top // 2 + 1, 0x8000, 0x7FFF, 0x7F, 0x80]
    return sorted({value % top for value in found})


def numbers(bits: int) -> st.SearchStrategy[int]:
    return st.one_of(st.sampled_from(edges(bits)), st.integers(0, (1 << bits) - 1))


@dataclass(frozen=True)
class Case:
    """An instruction, the widths of %a, %b, ..., the width of %d, and what %d must be modulo 2**width."""

    text: str
    widths: tuple[int, ...]
    result: int
    want: Callable[..., int]
    shown: str = "%d"

    def check(self, rows: list[tuple[int, ...]]) -> None:
        got = lanewise(self.text, self.widths, rows, self.result, self.shown)
        want = [int(self.want(*row)) % (1 << self.result) for row in rows]
        assert got == want, (self.text, [hex(v) for v in rows[0]])


def both(bits: tuple[int, ...] = (16, 32, 64)) -> list[tuple[str, int, Callable[[int], int]]]:
    out: list[tuple[str, int, Callable[[int], int]]] = []
    for w in bits:
        out.append((f"u{w}", w, lambda v: v))
        out.append((f"s{w}", w, lambda v, w=w: s(v, w)))  # type: ignore[misc]
    return out


def truncating(a: int, b: int) -> tuple[int, int]:
    q = abs(a) // abs(b)
    q = q if (a >= 0) == (b >= 0) else -q
    return q, a - q * b


def clamp(v: int, low: int, high: int) -> int:
    return max(low, min(high, v))


def basic() -> list[Case]:
    out = []
    for t, w, r in both():
        three = (w, w, w)
        two = (w, w)
        out += [
            Case(f"add.{t} %d, %a, %b;", two, w, lambda a, b: a + b),
            Case(f"sub.{t} %d, %a, %b;", two, w, lambda a, b: a - b),
            Case(f"mul.lo.{t} %d, %a, %b;", two, w, lambda a, b: a * b),
            Case(f"mul.hi.{t} %d, %a, %b;", two, w, lambda a, b, r=r, w=w: (r(a) * r(b)) >> w),
            Case(f"mad.lo.{t} %d, %a, %b, %c;", three, w, lambda a, b, c: a * b + c),
            Case(f"mad.hi.{t} %d, %a, %b, %c;", three, w, lambda a, b, c, r=r, w=w: (r(a) * r(b) >> w) + c),
            Case(f"sad.{t} %d, %a, %b, %c;", three, w, lambda a, b, c, r=r: c + abs(r(a) - r(b))),
            Case(f"min.{t} %d, %a, %b;", two, w, lambda a, b, r=r: min(r(a), r(b))),
            Case(f"max.{t} %d, %a, %b;", two, w, lambda a, b, r=r: max(r(a), r(b))),
            Case(f"div.{t} %d, %a, %b;", two, w, lambda a, b, r=r: truncating(r(a), r(b))[0] if b else -1),
            Case(f"rem.{t} %d, %a, %b;", two, w, lambda a, b, r=r: truncating(r(a), r(b))[1] if b else a),
        ]
        if w < 64:
            out += [
                Case(f"mul.wide.{t} %d, %a, %b;", two, 2 * w, lambda a, b, r=r: r(a) * r(b)),
                Case(
                    f"mad.wide.{t} %d, %a, %b, %c;", (w, w, 2 * w), 2 * w, lambda a, b, c, r=r: r(a) * r(b) + c
                ),
            ]
        if t[0] == "s":
            out += [
                Case(f"abs.{t} %d, %a;", (w,), w, lambda a, r=r: abs(r(a))),
                Case(f"neg.{t} %d, %a;", (w,), w, lambda a: -a),
            ]
    return out


def special_arithmetic() -> list[Case]:
    low, high = -(1 << 31), (1 << 31) - 1
    out = [
        Case("add.sat.s32 %d, %a, %b;", (32, 32), 32, lambda a, b: clamp(s(a, 32) + s(b, 32), low, high)),
        Case("sub.sat.s32 %d, %a, %b;", (32, 32), 32, lambda a, b: clamp(s(a, 32) - s(b, 32), low, high)),
        Case(
            "mad.hi.sat.s32 %d, %a, %b, %c;",
            (32, 32, 32),
            32,
            lambda a, b, c: clamp((s(a, 32) * s(b, 32) >> 32) + s(c, 32), low, high),
        ),
        Case("min.relu.s32 %d, %a, %b;", (32, 32), 32, lambda a, b: max(0, min(s(a, 32), s(b, 32)))),
        Case("max.relu.s32 %d, %a, %b;", (32, 32), 32, lambda a, b: max(0, s(a, 32), s(b, 32))),
    ]

    def halves(f: Callable[[int, int], int]) -> Callable[[int, int], int]:
        return lambda a, b: f(a % 65536, b % 65536) % 65536 + (f(a >> 16, b >> 16) % 65536 << 16)

    for t, r in (("u16x2", lambda v: v), ("s16x2", lambda v: s(v, 16))):
        out += [
            Case(f"add.{t} %d, %a, %b;", (32, 32), 32, halves(lambda a, b: a + b)),
            Case(f"min.{t} %d, %a, %b;", (32, 32), 32, halves(lambda a, b, r=r: min(r(a), r(b)))),
            Case(f"max.{t} %d, %a, %b;", (32, 32), 32, halves(lambda a, b, r=r: max(r(a), r(b)))),
        ]
    out.append(
        Case(
            "max.s16x2.relu %d, %a, %b;".replace("s16x2.relu", "relu.s16x2"),
            (32, 32),
            32,
            halves(lambda a, b: max(0, s(a, 16), s(b, 16))),
        )
    )
    for t in ("u32", "s32"):
        r24 = (lambda v: s(v, 24)) if t == "s32" else (lambda v: v % (1 << 24))
        out += [
            Case(f"mul24.lo.{t} %d, %a, %b;", (32, 32), 32, lambda a, b, r=r24: r(a) * r(b)),
            Case(f"mul24.hi.{t} %d, %a, %b;", (32, 32), 32, lambda a, b, r=r24: r(a) * r(b) >> 16),
            Case(f"mad24.lo.{t} %d, %a, %b, %c;", (32,) * 3, 32, lambda a, b, c, r=r24: r(a) * r(b) + c),
            Case(
                f"mad24.hi.{t} %d, %a, %b, %c;", (32,) * 3, 32, lambda a, b, c, r=r24: (r(a) * r(b) >> 16) + c
            ),
        ]
    out.append(
        Case(
            "mad24.hi.sat.s32 %d, %a, %b, %c;",
            (32,) * 3,
            32,
            lambda a, b, c: clamp(s(s(a, 24) * s(b, 24) >> 16, 32) + s(c, 32), low, high),
        )
    )
    for ta in "us":
        for tb in "us":
            ra = s if ta == "s" else (lambda v, w: v % (1 << w))
            rb = (lambda v: s(v, 8)) if tb == "s" else (lambda v: v % 256)

            def four(a: int, b: int, c: int, ra=ra, rb=rb) -> int:  # type: ignore[no-untyped-def]
                return c + sum(ra(a >> i, 8) * rb(b >> i) for i in (0, 8, 16, 24))

            def two(a: int, b: int, c: int, high: int, ra=ra, rb=rb) -> int:  # type: ignore[no-untyped-def]
                return c + ra(a, 16) * rb(b >> 16 * high) + ra(a >> 16, 16) * rb(b >> 16 * high + 8)

            out += [
                Case(f"dp4a.{ta}32.{tb}32 %d, %a, %b, %c;", (32,) * 3, 32, four),
                Case(
                    f"dp2a.lo.{ta}32.{tb}32 %d, %a, %b, %c;",
                    (32,) * 3,
                    32,
                    lambda a, b, c, f=two: f(a, b, c, 0),
                ),
                Case(
                    f"dp2a.hi.{ta}32.{tb}32 %d, %a, %b, %c;",
                    (32,) * 3,
                    32,
                    lambda a, b, c, f=two: f(a, b, c, 1),
                ),
            ]
    return out


def carries() -> list[Case]:
    """A flag made by one instruction (from %c's lowest bit), then used by another."""
    out = []
    for w in (32, 64):
        ones = (1 << w) - 1
        set_carry = f".reg .b{w} %x; and.b{w} %x, %c, 1; add.cc.u{w} %x, %x, {ones};"
        set_borrow = f".reg .b{w} %x; and.b{w} %x, %c, 1; sub.cc.u{w} %x, 0, %x;"
        three = (w, w, w)
        flag = f"addc.u{w} %d, 0, 0;"
        out += [
            Case(f"{set_carry} addc.u{w} %d, %a, %b;", three, w, lambda a, b, c: a + b + c % 2),
            Case(f"{set_borrow} subc.s{w} %d, %a, %b;", three, w, lambda a, b, c: a - b - c % 2),
            Case(f"add.cc.s{w} %d, %a, %b; {flag}", (w, w), w, lambda a, b, w=w: (a + b) >> w),
            Case(f"sub.cc.u{w} %d, %a, %b; {flag}", (w, w), w, lambda a, b: a < b),
            Case(
                f"{set_carry} addc.cc.u{w} %d, %a, %b; {flag}",
                three,
                w,
                lambda a, b, c, w=w: (a + b + c % 2) >> w,
            ),
            Case(f"{set_borrow} subc.cc.u{w} %d, %a, %b; {flag}", three, w, lambda a, b, c: a - b - c % 2 < 0),
            Case(
                f"mad.lo.cc.u{w} %d, %a, %b, %c; {flag}",
                three,
                w,
                lambda a, b, c, w=w: (a * b % (1 << w) + c) >> w,
            ),
            Case(
                f"mad.hi.cc.u{w} %d, %a, %b, %c; {flag}", three, w, lambda a, b, c, w=w: ((a * b >> w) + c) >> w
            ),
            Case(
                f"{set_carry} madc.hi.u{w} %d, %a, %b, %a;",
                three,
                w,
                lambda a, b, c, w=w: (a * b >> w) + a + c % 2,
            ),
            Case(f"{set_carry} madc.lo.cc.u{w} %d, %a, %b, %a;", three, w, lambda a, b, c: a * b + a + c % 2),
        ]
    return out


def bit_list(value: int, bits: int) -> list[int]:
    return [value >> i & 1 for i in range(bits)]


def from_bits(bits: list[int]) -> int:
    return sum(bit << i for i, bit in enumerate(bits))


def bfe(a: int, b: int, c: int, w: int, signed: bool) -> int:
    """The PTX ISA's pseudocode, bit by bit."""
    pos, length, msb = b % 256, c % 256, w - 1
    a_bits = bit_list(a, w)
    sign = 0 if not signed or length == 0 else a_bits[min(pos + length - 1, msb)]
    return from_bits([a_bits[pos + i] if i < length and pos + i <= msb else sign for i in range(w)])


def bfi(a: int, b: int, c: int, d: int, w: int) -> int:
    pos, length = c % 256, d % 256
    out, source = bit_list(b, w), bit_list(a, w)
    for i in range(length):
        if pos + i < w and i < w:
            out[pos + i] = source[i]
    return from_bits(out)


def bfind(a: int, w: int, signed: bool, shift: bool) -> int:
    bits = bit_list(a, w)
    seek = 0 if signed and bits[-1] else 1
    for i in range(w - 1, -1, -1):
        if bits[i] == seek:
            return w - 1 - i if shift else i
    return 0xFFFFFFFF


def prmt(a: int, b: int, c: int, mode: str) -> int:
    pool = list(a.to_bytes(4, "little") + b.to_bytes(4, "little"))
    tables = {
        "f4e": [(0, 1, 2, 3), (1, 2, 3, 4), (2, 3, 4, 5), (3, 4, 5, 6)],
        "b4e": [(0, 7, 6, 5), (1, 0, 7, 6), (2, 1, 0, 7), (3, 2, 1, 0)],
        "rc8": [(i,) * 4 for i in range(4)],
        "ecl": [(0, 1, 2, 3), (1, 1, 2, 3), (2, 2, 2, 3), (3, 3, 3, 3)],
        "ecr": [(0, 0, 0, 0), (0, 1, 1, 1), (0, 1, 2, 2), (0, 1, 2, 3)],
        "rc16": [(0, 1, 0, 1), (2, 3, 2, 3), (0, 1, 0, 1), (2, 3, 2, 3)],
    }
    if mode:
        return int.from_bytes(bytes(pool[i] for i in tables[mode][c % 4]), "little")
    out = []
    for at in range(4):
        nibble = c >> 4 * at & 15
        byte = pool[nibble % 8]
        out.append((255 if byte > 127 else 0) if nibble > 7 else byte)
    return int.from_bytes(bytes(out), "little")


def lop3(a: int, b: int, c: int, table: int) -> int:
    """Each bit of a, b, c selects a bit of the table; the table of a is 0xF0, of b 0xCC, of c 0xAA."""
    return from_bits(
        [
            table >> (x * 4 + y * 2 + z) & 1
            for x, y, z in zip(bit_list(a, 32), bit_list(b, 32), bit_list(c, 32), strict=True)
        ]
    )


def szext(a: int, b: int, signed: bool, wrap: bool) -> int:
    n = b % 32 if wrap else min(b, 32)
    return 0 if n == 0 else s(a, n) if signed else a % (1 << n)


def fns(mask: int, base: int, offset: int) -> int:
    base, offset = base % 32, s(offset, 32)
    if offset == 0:
        return base if mask >> base & 1 else -1
    places = [i for i in (range(base, 32) if offset > 0 else range(base, -1, -1)) if mask >> i & 1]
    return places[abs(offset) - 1] if len(places) >= abs(offset) else -1


def bits_cases() -> list[Case]:
    out = []
    for w in (16, 32, 64):
        two = (w, w)
        out += [
            Case(f"and.b{w} %d, %a, %b;", two, w, lambda a, b: a & b),
            Case(f"or.b{w} %d, %a, %b;", two, w, lambda a, b: a | b),
            Case(f"xor.b{w} %d, %a, %b;", two, w, lambda a, b: a ^ b),
            Case(f"not.b{w} %d, %a;", (w,), w, lambda a: -1 - a),
            Case(f"cnot.b{w} %d, %a;", (w,), w, lambda a: a == 0),
            Case(f"shl.b{w} %d, %a, %b;", (w, 32), w, lambda a, b, w=w: a << min(b, w)),
            Case(f"shr.u{w} %d, %a, %b;", (w, 32), w, lambda a, b, w=w: a >> min(b, w)),
            Case(f"shr.b{w} %d, %a, %b;", (w, 32), w, lambda a, b, w=w: a >> min(b, w)),
            Case(f"shr.s{w} %d, %a, %b;", (w, 32), w, lambda a, b, w=w: s(a, w) >> min(b, w)),
        ]
    for w in (32, 64):
        out += [
            Case(f"brev.b{w} %d, %a;", (w,), w, lambda a, w=w: from_bits(bit_list(a, w)[::-1])),
            Case(f"popc.b{w} %d, %a;", (w,), 32, lambda a: bin(a).count("1")),
            Case(f"clz.b{w} %d, %a;", (w,), 32, lambda a, w=w: w - len(bin(a)[2:]) if a else w),
            Case(
                f"bfi.b{w} %d, %a, %b, %c, %e1;".replace("%e1", "%x"),
                (w, w, 32),
                w,
                lambda a, b, c, w=w: bfi(a, b, c, c >> 3, w),
            ),
        ]
        out[-1] = Case(f".reg .b32 %x; shr.u32 %x, %c, 3; {out[-1].text}", out[-1].widths, w, out[-1].want)
        for t, signed in ((f"u{w}", False), (f"s{w}", True)):
            out += [
                Case(
                    f"bfe.{t} %d, %a, %b, %c;",
                    (w, 32, 32),
                    w,
                    lambda a, b, c, w=w, g=signed: bfe(a, b, c, w, g),
                ),
                Case(f"bfind.{t} %d, %a;", (w,), 32, lambda a, w=w, g=signed: bfind(a, w, g, False)),
                Case(f"bfind.shiftamt.{t} %d, %a;", (w,), 32, lambda a, w=w, g=signed: bfind(a, w, g, True)),
            ]
    pair = lambda a, b: (b << 32) + a  # noqa: E731
    three = (32, 32, 32)
    out += [
        Case("shf.l.wrap.b32 %d, %a, %b, %c;", three, 32, lambda a, b, c: pair(a, b) << c % 32 >> 32),
        Case("shf.r.wrap.b32 %d, %a, %b, %c;", three, 32, lambda a, b, c: pair(a, b) >> c % 32),
        Case("shf.l.clamp.b32 %d, %a, %b, %c;", three, 32, lambda a, b, c: pair(a, b) << min(c, 32) >> 32),
        Case("shf.r.clamp.b32 %d, %a, %b, %c;", three, 32, lambda a, b, c: pair(a, b) >> min(c, 32)),
    ]
    for mode in ("", "f4e", "b4e", "rc8", "ecl", "ecr", "rc16"):
        name = f"prmt.b32{'.' if mode else ''}{mode}"
        out.append(Case(f"{name} %d, %a, %b, %c;", three, 32, lambda a, b, c, m=mode: prmt(a, b, c, m)))
    for table in (0x00, 0x01, 0x1B, 0x80, 0x96, 0xCA, 0xE8, 0xFE, 0xFF, 0xF0, 0xCC, 0xAA):
        out.append(
            Case(f"lop3.b32 %d, %a, %b, %c, {table};", three, 32, lambda a, b, c, t=table: lop3(a, b, c, t))
        )
    for wrap in (False, True):
        mode = "wrap" if wrap else "clamp"
        for t, g in (("u32", False), ("s32", True)):
            out.append(
                Case(f"szext.{mode}.{t} %d, %a, %b;", (32, 32), 32, lambda a, b, g=g, w=wrap: szext(a, b, g, w))
            )

        def ones(a: int, b: int, wrap: bool = wrap) -> int:
            first, count = (a % 32, b % 32) if wrap else (min(a, 32), min(b, 32))
            return sum(1 << i for i in range(first, min(32, first + count)))

        out.append(Case(f"bmsk.{mode}.b32 %d, %a, %b;", (32, 32), 32, ones))
    out.append(Case(".reg .b32 %x; and.b32 %x, %b, 31; fns.b32 %d, %a, %x, %c;", three, 32, fns))
    return out


COMPARE: dict[str, Callable[[int, int], bool]] = {
    "eq": lambda a, b: a == b,
    "ne": lambda a, b: a != b,
    "lt": lambda a, b: a < b,
    "le": lambda a, b: a <= b,
    "gt": lambda a, b: a > b,
    "ge": lambda a, b: a >= b,
}
UNSIGNED = {"lo": "lt", "ls": "le", "hi": "gt", "hs": "ge"}


def comparisons() -> list[Case]:
    out = []
    for t, w, r in both():
        for name, f in COMPARE.items():
            out.append(Case(f"setp.{name}.{t} %d, %a, %b;", (w, w), 1, lambda a, b, f=f, r=r: f(r(a), r(b))))
    for name, other in UNSIGNED.items():
        out.append(Case(f"setp.{name}.u32 %d, %a, %b;", (32, 32), 1, lambda a, b, f=COMPARE[other]: f(a, b)))
    for w in (16, 32, 64):
        out.append(Case(f"setp.eq.b{w} %d, %a, %b;", (w, w), 1, lambda a, b: a == b))
        out.append(Case(f"setp.ne.b{w} %d, %a, %b;", (w, w), 1, lambda a, b: a != b))
    combine = {"and": lambda x, y: x and y, "or": lambda x, y: x or y, "xor": lambda x, y: x != y}
    for name, g in combine.items():
        for sign in ("", "!"):
            flip = sign == "!"
            first = lambda a, b, p, g=g, f=flip: g(s(a, 32) < s(b, 32), bool(p) != f)  # noqa: E731
            second = lambda a, b, p, g=g, f=flip: g(not s(a, 32) < s(b, 32), bool(p) != f)  # noqa: E731
            text = f"setp.lt.{name}.s32 %d|%e, %a, %b, {sign}%c;"
            out += [Case(text, (32, 32, 1), 1, first), Case(text, (32, 32, 1), 1, second, "%e")]
            out.append(
                Case(
                    f"set.ge.{name}.u32.u16 %d, %a, %b, {sign}%c;",
                    (16, 16, 1),
                    32,
                    lambda a, b, p, g=g, f=flip: -1 if g(a >= b, bool(p) != f) else 0,
                )
            )
    out += [
        Case("set.lt.s32.s64 %d, %a, %b;", (64, 64), 32, lambda a, b: -1 if s(a, 64) < s(b, 64) else 0),
        Case("set.hi.u32.u32 %d, %a, %b;", (32, 32), 32, lambda a, b: -1 if a > b else 0),
        Case("selp.b32 %d, %a, %b, %c;", (32, 32, 1), 32, lambda a, b, p: a if p else b),
        Case("selp.u16 %d, %a, %b, !%c;", (16, 16, 1), 16, lambda a, b, p: b if p else a),
        Case("selp.s64 %d, %a, -7, %b;", (64, 1), 64, lambda a, p: a if p else -7),
        Case("slct.b64.s32 %d, %a, %b, %c;", (64, 64, 32), 64, lambda a, b, c: a if s(c, 32) >= 0 else b),
        Case("slct.u16.s32 %d, %a, %b, %c;", (16, 16, 32), 16, lambda a, b, c: a if s(c, 32) >= 0 else b),
        Case("and.pred %d, %a, %b;", (1, 1), 1, lambda a, b: a and b),
        Case("or.pred %d, %a, %b;", (1, 1), 1, lambda a, b: a or b),
        Case("xor.pred %d, %a, %b;", (1, 1), 1, lambda a, b: a != b),
        Case("not.pred %d, %a;", (1,), 1, lambda a: not a),
        Case("mov.pred %d, %a;", (1,), 1, lambda a: a),
        Case("mov.pred %d, -1;", (1,), 1, lambda a: 1),
        Case(
            "lop3.or.b32 %d|%e, %a, %b, %c, 0x80, %e;".replace(", %e;", ", %q1;"),
            (32, 32, 32),
            32,
            lambda a, b, c: a & b & c,
        ),
    ]
    out[-1] = Case(f"setp.eq.u32 %q1, %a, 3; {out[-1].text}", out[-1].widths, 32, out[-1].want)
    out.append(
        Case(
            "setp.eq.u32 %q1, %a, 3; lop3.and.b32 _|%e, %a, %b, %c, 0x80, !%q1; mov.pred %d, %e;",
            (32, 32, 32),
            1,
            lambda a, b, c: a & b & c != 0 and a != 3,
        )
    )
    return out


def conversions() -> list[Case]:
    out = []
    kinds = [(f"{k}{w}", k, w) for k in "us" for w in (8, 16, 32, 64)]
    for to, to_kind, to_bits in kinds:
        for of, of_kind, of_bits in kinds:
            source, target = max(of_bits, 16), max(to_bits, 16)  # there are no 8-bit registers to compute in

            def read(a: int, k: str = of_kind, w: int = of_bits) -> int:
                return s(a, w) if k == "s" else a % (1 << w)

            def written(v: int, k: str = to_kind, w: int = to_bits) -> int:
                return s(v, w) if k == "s" else v % (1 << w)

            low, high = (
                (-(1 << to_bits - 1), (1 << to_bits - 1) - 1) if to_kind == "s" else (0, (1 << to_bits) - 1)
            )
            out += [
                Case(f"cvt.{to}.{of} %d, %a;", (source,), target, lambda a, f=read, g=written: g(f(a))),
                Case(
                    f"cvt.sat.{to}.{of} %d, %a;",
                    (source,),
                    target,
                    lambda a, f=read, g=written, lo=low, hi=high: g(clamp(f(a), lo, hi)),
                ),
            ]
    out += [
        Case("cvt.u32.u8 %d, %a;", (64,), 32, lambda a: a % 256),  # a register wider than the type
        Case("cvt.s8.s32 %d, %a;", (32,), 64, lambda a: s(a, 8)),
        Case("cvt.pack.sat.s16.s32 %d, %a, %b;", (32, 32), 32, lambda a, b: pack((a, b), 16, True)),
        Case("cvt.pack.sat.u16.s32 %d, %a, %b;", (32, 32), 32, lambda a, b: pack((a, b), 16, False)),
        Case(
            "cvt.pack.sat.u8.s32.b32 %d, %a, %b, %c;",
            (32,) * 3,
            32,
            lambda a, b, c: (c << 16) + pack((a, b), 8, False),
        ),
        Case("mov.b32 %d, {%a, %b};", (16, 16), 32, lambda a, b: a + (b << 16)),
        Case("mov.b64 %d, {%a, %b};", (32, 32), 64, lambda a, b: a + (b << 32)),
        Case("mov.b64 %d, {%a, %b, %a, %b};", (16, 16), 64, lambda a, b: (a + (b << 16)) * ((1 << 32) + 1)),
        Case("mov.b32 {%d, _}, %a;", (32,), 16, lambda a: a),
        Case("mov.b64 {_, %d}, %a;", (64,), 32, lambda a: a >> 32),
        Case("mov.b64 {%h0, %h1, %d, %h2}, %a;", (64,), 16, lambda a: a >> 32),
        Case("mov.u32 %d, 0x123U;", (32,), 32, lambda a: 0x123),
        Case("mov.s32 %d, -017;", (32,), 32, lambda a: -15),
        Case("mov.b32 %d, 0b101;", (32,), 32, lambda a: 5),
        Case("add.s16 %d, %a, -1;", (16,), 16, lambda a: a - 1),
    ]
    return out


def pack(values: tuple[int, int], bits: int, signed: bool) -> int:
    low, high = (-(1 << bits - 1), (1 << bits - 1) - 1) if signed else (0, (1 << bits) - 1)
    first, second = (clamp(s(v, 32), low, high) % (1 << bits) for v in values)
    return (first << bits) + second


CASES = [*basic(), *special_arithmetic(), *carries(), *bits_cases(), *comparisons(), *conversions()]


@pytest.mark.parametrize("case", CASES, ids=lambda c: c.text.replace(" ", "_"))
@settings(max_examples=4, deadline=None)
@given(rows=st.data())
def test_instruction_gives_what_integers_give(case: Case, rows: st.DataObject) -> None:
    row = st.tuples(*(numbers(w) for w in case.widths))
    case.check(rows.draw(st.lists(row, min_size=4, max_size=8)))


@pytest.mark.parametrize("case", CASES, ids=lambda c: c.text.replace(" ", "_"))
def test_instruction_at_the_edges(case: Case) -> None:
    rows = list(itertools.product(*(edges(w) for w in case.widths)))
    random.Random(1).shuffle(rows)
    case.check(rows[:256])


def test_a_wrong_expectation_is_found() -> None:
    """Negative control: the check can fail."""
    case = Case("add.u32 %d, %a, %b;", (32, 32), 32, lambda a, b: a + b + 1)
    with pytest.raises(AssertionError):
        case.check([(1, 2)])


@pytest.mark.parametrize(
    ("text", "widths", "row", "bits", "want"),
    [
        ("shl.b32 %d, %a, %b;", (32, 32), (1, 32), 32, 0),
        ("shl.b32 %d, %a, %b;", (32, 32), (1, 0xFFFFFFFF), 32, 0),
        ("shr.s32 %d, %a, %b;", (32, 32), (0x80000000, 99), 32, 0xFFFFFFFF),
        ("shr.u64 %d, %a, %b;", (64, 32), (1 << 63, 64), 64, 0),
        ("shf.l.wrap.b32 %d, %a, %b, %c;", (32,) * 3, (0x11111111, 0x22222222, 36), 32, 0x22222221),
        ("shf.l.clamp.b32 %d, %a, %b, %c;", (32,) * 3, (0x11111111, 0x22222222, 36), 32, 0x11111111),
        ("shf.r.clamp.b32 %d, %a, %b, %c;", (32,) * 3, (0x11111111, 0x22222222, 99), 32, 0x22222222),
        ("bfe.s32 %d, %a, %b, %c;", (32,) * 3, (0x80000000, 28, 8), 32, 0xFFFFFFF8),
        ("bfe.s32 %d, %a, %b, %c;", (32,) * 3, (0x80000000, 255, 1), 32, 0xFFFFFFFF),
        ("bfe.s32 %d, %a, %b, %c;", (32,) * 3, (0xFFFFFFFF, 3, 0), 32, 0),
        ("bfe.u32 %d, %a, %b, %c;", (32,) * 3, (0xFFFFFFFF, 32, 32), 32, 0),
        ("bfind.u32 %d, %a;", (32,), (0,), 32, 0xFFFFFFFF),
        ("bfind.s32 %d, %a;", (32,), (0xFFFFFFFF,), 32, 0xFFFFFFFF),
        ("bfind.shiftamt.u32 %d, %a;", (32,), (1,), 32, 31),
        ("clz.b64 %d, %a;", (64,), (0,), 32, 64),
        ("prmt.b32 %d, %a, %b, %c;", (32,) * 3, (0x00008000, 0, 0x9), 32, 0x000000FF),
        ("div.s32 %d, %a, %b;", (32, 32), (0x80000000, 0xFFFFFFFF), 32, 0x80000000),
        ("rem.s32 %d, %a, %b;", (32, 32), (0x80000000, 0xFFFFFFFF), 32, 0),
        ("div.s32 %d, %a, %b;", (32, 32), (0xFFFFFFF9, 2), 32, 0xFFFFFFFD),
        ("rem.s32 %d, %a, %b;", (32, 32), (0xFFFFFFF9, 2), 32, 0xFFFFFFFF),
        ("div.u16 %d, %a, %b;", (16, 16), (9, 0), 16, 0xFFFF),
        ("rem.u64 %d, %a, %b;", (64, 64), (9, 0), 64, 9),
        ("abs.s32 %d, %a;", (32,), (0x80000000,), 32, 0x80000000),
        ("neg.s16 %d, %a;", (16,), (0x8000,), 16, 0x8000),
        ("add.sat.s32 %d, %a, %b;", (32, 32), (0x7FFFFFFF, 1), 32, 0x7FFFFFFF),
        ("sub.sat.s32 %d, %a, %b;", (32, 32), (0x80000000, 1), 32, 0x80000000),
        ("mul.hi.s32 %d, %a, %b;", (32, 32), (0xFFFFFFFF, 1), 32, 0xFFFFFFFF),
        ("mul.hi.u32 %d, %a, %b;", (32, 32), (0xFFFFFFFF, 1), 32, 0),
        ("mul.wide.s16 %d, %a, %b;", (16, 16), (0xFFFF, 2), 32, 0xFFFFFFFE),
        ("min.u32 %d, %a, %b;", (32, 32), (0xFFFFFFFF, 1), 32, 1),
        ("min.s32 %d, %a, %b;", (32, 32), (0xFFFFFFFF, 1), 32, 0xFFFFFFFF),
    ],
)
def test_edge(text: str, widths: tuple[int, ...], row: tuple[int, ...], bits: int, want: int) -> None:
    assert lanewise(text, widths, [row], bits) == [want]
