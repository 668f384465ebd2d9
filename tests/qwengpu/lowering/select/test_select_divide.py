"""Division against Python integers: edges crossed with edges, random vectors, known small dividends."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from mir_machine import rcp
from select_kit import EDGES, bits, one, selected, signed, source

from qwengpu.isa import Op
from qwengpu.lowering.mir import MOp
from qwengpu.lowering.select.words import reciprocal

WORDS = sorted(
    {v & 0xFFFFFFFF for e in EDGES for v in (e, -e, e + 1, e - 1)}
    | {(1 << n) + k for n in range(2, 32) for k in (-1, 0, 1)}
)


def truncated(x: int, d: int) -> tuple[int, int]:
    q = abs(x) // abs(d)
    q = -q if (x < 0) != (d < 0) else q
    return q, x - q * d


def check(name: str, width: int, x: int, d: int, got: int) -> None:
    is_signed = name[-3] == "s"
    a, b = (signed(x, width), signed(d, width)) if is_signed else (x, d)
    want = truncated(a, b)[name.startswith("rem")] & (1 << width) - 1
    assert got == want, (name, a, b)


@pytest.mark.parametrize("name", ["div.u32", "rem.u32", "div.s32", "rem.s32"])
def test_edges(name: str) -> None:
    words = random.Random(1).sample(WORDS, 45)
    for x in words:
        for d in words:
            if d:
                check(name, 32, x, d, one(f"{name} d0, a0, a1;", 32, (32, 32), (x, d)))


@pytest.mark.parametrize("name", ["div.u32", "rem.u32", "div.s32", "rem.s32", "div.u16", "rem.s16", "div.s16"])
@settings(max_examples=200, deadline=None)
@given(x=bits(32), d=bits(32))
def test_random(name: str, x: int, d: int) -> None:
    width = int(name[-2:])
    x, d = x & (1 << width) - 1, d & (1 << width) - 1
    if d:
        check(name, width, x, d, one(f"{name} d0, a0, a1;", width, (width, width), (x, d)))
        # A constant divisor folds the reciprocal, or the whole division.
        check(name, width, x, d, one(f"{name} d0, a0, {d};", width, (width, width), (x, d)))


@settings(max_examples=100, deadline=None)
@given(x=bits(32), d=bits(32))
def test_near_multiples(x: int, d: int) -> None:
    """Dividends just below and at multiples of the divisor need the corrections."""
    d = d or 1
    for k in (-1, 0, 1):
        y = (x // d * d + k) & 0xFFFFFFFF
        check("div.u32", 32, y, d, one("div.u32 d0, a0, a1;", 32, (32, 32), (y, d)))


@settings(max_examples=100, deadline=None)
@given(x=bits(32), d=bits(32))
def test_small_dividends_take_fewer_steps(x: int, d: int) -> None:
    d = d or 1
    for mask in (0x7F, 0xFFFF):
        text = f".reg .b32 t; and.b32 t, a0, {mask}; div.u32 d0, t, a1;"
        check("div.u32", 32, x & mask, d, one(text, 32, (32, 32), (x, d)))
        text = f".reg .b32 t; and.b32 t, a0, {mask}; rem.u32 d0, t, a1;"
        check("rem.u32", 32, x & mask, d, one(text, 32, (32, 32), (x, d)))


def test_division_by_zero_leaves_the_dividend() -> None:
    for x in WORDS:
        assert one("rem.u32 d0, a0, a1;", 32, (32, 32), (x, 0)) == x


def test_reciprocal_seed() -> None:
    """What the proof in divide.py assumes of RCP."""
    sample = [*range(1, 3000), *WORDS[1:], *random.Random(2).sample(range(1 << 32), 3000)]
    for d in sample:
        z = reciprocal(d)
        assert z == rcp(d)
        exact = 2**32 / d
        assert 1 <= z <= exact
        assert exact - z < exact * 2**-8.4 + (1 if d >= 1 << 23 else 0)


def test_two_steps_leave_an_error_below_two() -> None:
    rng = random.Random(3)
    divisors = [*range(1, 2000), *WORDS[1:], *((1 << 31) + k for k in range(-500, 500))]
    divisors += [rng.randrange(1, 1 << rng.randrange(1, 33)) for _ in range(5000)]
    for d in divisors:
        z = rcp(d)
        for _ in range(2):
            z += z * (-d * z & 0xFFFFFFFF) >> 32
        assert 0 <= 2**32 - z * d < 2 * d


def test_quotient_and_remainder_share_their_expansion() -> None:
    both = selected(source("div.s32 d0, a0, a1; rem.s32 d1, a0, a1;", (32, 32), (32, 32)))
    ops = [item.op for block in both.blocks for item in block.items if isinstance(item, MOp)]
    assert ops.count(Op.RCP) == 1
    assert ops.count(Op.MULHU) == 3


def test_powers_of_two_need_no_reciprocal() -> None:
    for name in ("div.s32", "rem.s32", "div.u32", "rem.u32"):
        for shift in (0, 1, 5, 30):
            text = f"{name} d0, a0, {1 << shift};"
            ops = [
                i.op for b in selected(source(text, (32,), (32,))).blocks for i in b.items if isinstance(i, MOp)
            ]
            assert Op.RCP not in ops
            for x in WORDS:
                check(name, 32, x, 1 << shift, one(text, 32, (32,), (x,)))
