"""32-bit division by reciprocal: RCP, Newton steps, quotient estimate, corrections.

Why these corrections suffice
-----------------------------
Let D = 2^32 / d (a real number) and let an estimate z be an integer with E = D - z >= 0. RCP's table entry for
a normalised divisor in [512 + i, 513 + i) is floor(2^19 / (513 + i)), so its relative error is below
1/513 + 513/2^19 < 2^-8.4, and z0 <= D. For d < 2^23 it is shifted to the left: E0 <= D * 2^-8.4. For larger d
(D <= 512) it is shifted to the right and floored: E0 < D * 2^-8.4 + 1.

A Newton step is z' = z + floor(z * e / 2^32), e = -d * z mod 2^32 = 2^32 - d * z = d * E, so with 0 <= f < 1

    E' = E - z * E / D + f = E^2 / D + f,        and E' >= 0, E' < E^2 / D + 1, z' >= z.

The estimate q = floor(x * z / 2^32) of Q = floor(x / d) obeys 0 <= Q - q < x * E / 2^32 + 1.

* Two steps, any x < 2^32: E2 < 2, so Q - q <= 2, two corrections:
  - D < 2: z >= 1, so E2 <= D - 1 < 1.
  - 2 <= D < 4: if d = 2^31, z = 1 and E2 <= 1. Else the table entry, at least 512, is shifted to the right by
    at most 8, so z >= 2 and E2 <= D - 2 < 2.
  - 4 <= D <= 512: E1 < (D * 2^-8.4 + 1)^2 / D + 1 = D * 2^-16.8 + 2^-7.4 + 1/D + 1 < 1.27, and
    E2 < 1.27^2 / 4 + 1 < 1.41.
  - D > 512: E1 < D * 2^-16.8 + 1, E2 < D * 2^-33.6 + 2^-15.8 + 1/D + 1 < 1.34.
* x <= 0xffff, one step: E1 < D * 2^-16.8 + 2.1, so x * E1 / 2^32 < 0.58: one correction.
* x <= 0x7f, no step: E0 < D * 2^-8.4 + 1, so x * E0 / 2^32 < 0.38: one correction.

d = 0 (PTX leaves it open): z = 0xffffffff, d * z = 0, so q is x - 1 (0 for x = 0) and r is x; each correction
finds d <= r and adds 1. The remainder is x.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from qwengpu.isa import Op
from qwengpu.lowering.mir import Lit, Operand
from qwengpu.lowering.select.words import ZERO, lit
from qwengpu.lowering.select.words import signed as as_signed

if TYPE_CHECKING:
    from qwengpu.lowering.select.selector import Selector


def divide(s: Selector, x: Operand, d: Operand, signed: bool, want_quotient: bool) -> tuple[Operand, Operand]:
    """(quotient, remainder) of words, truncated towards zero; only the wanted one is meaningful.

    The expansions of a quotient and of a remainder of the same operands share their common part (equal
    operations are emitted once a block).
    """
    if signed and s.b.range(x)[0] >= 0 and s.b.range(d)[0] >= 0:
        signed = False
    if isinstance(d, Lit) and d.value and d.value.bit_count() == 1 and not (signed and as_signed(d.value) < 0):
        return _by_power(s, x, d.value.bit_length() - 1, signed)
    if not signed:
        return _unsigned(s, x, d, want_quotient)
    op = s.b.op
    quotient, remainder = _unsigned(s, _magnitude(s, x), _magnitude(s, d), want_quotient)
    if want_quotient:
        sign = op(Op.LT, op(Op.XOR, x, d), ZERO)
        return op(Op.SEL, op(Op.SUB, ZERO, quotient), quotient, sign), ZERO
    return ZERO, op(Op.SEL, op(Op.SUB, ZERO, remainder), remainder, op(Op.LT, x, ZERO))


def _magnitude(s: Selector, a: Operand) -> Operand:
    """|a| as an unsigned number (INT_MIN gives 2^31)."""
    return a if s.b.range(a)[0] >= 0 else s.b.op(Op.MAX, a, s.b.op(Op.SUB, ZERO, a))


def _by_power(s: Selector, x: Operand, shift: int, signed: bool) -> tuple[Operand, Operand]:
    """Division by 2^shift; a negative dividend is biased so that the shift truncates towards zero."""
    op = s.b.op
    if not signed:
        return op(Op.SHR, x, lit(shift)), op(Op.AND, x, lit((1 << shift) - 1))
    bias = op(Op.SHR, op(Op.SAR, x, lit(31)), lit(32 - shift)) if shift else ZERO
    biased = op(Op.ADD, x, bias)
    return op(Op.SAR, biased, lit(shift)), op(Op.SUB, x, op(Op.AND, biased, lit(-1 << shift)))


def _unsigned(s: Selector, x: Operand, d: Operand, want_quotient: bool) -> tuple[Operand, Operand]:
    op = s.b.op
    low, high = s.b.range(x)
    small = low >= 0
    steps = 0 if small and high <= 0x7F else 1 if small and high <= 0xFFFF else 2
    corrections = 2 if steps == 2 else 1
    minus = op(Op.SUB, ZERO, d)
    z = op(Op.RCP, d)
    for _ in range(steps):
        z = op(Op.MULHU, z, op(Op.MUL, minus, z), z)
    quotient = op(Op.MULHU, x, z)
    remainder = op(Op.MUL, quotient, minus, x)
    carries: list[Operand] = []
    for number in range(corrections):
        last = number == corrections - 1
        carries.append(op(Op.LEU, d, remainder) if want_quotient else ZERO)
        if not (last and want_quotient):
            # r - d wraps to a larger number where r < d, so the minimum is the corrected remainder.
            remainder = op(Op.MINU, remainder, op(Op.SUB, remainder, d))
    if not want_quotient:
        return ZERO, remainder
    if corrections == 1:
        return op(Op.ADD, quotient, carries[0]), ZERO
    return op(Op.ADD, quotient, carries[0], carries[1]), ZERO
