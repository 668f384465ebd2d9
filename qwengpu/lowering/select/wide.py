"""64-bit arithmetic on pairs of words, and on addresses."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from qwengpu.isa import Op
from qwengpu.lowering.mir import Lit, Operand
from qwengpu.lowering.select.values import Address, Wide
from qwengpu.lowering.select.words import MASK, MAX, MIN, ONE, SIGN, ZERO, lit

if TYPE_CHECKING:
    from qwengpu.lowering.select.selector import Selector

Words = tuple[Operand, Operand]
"""(low, high)."""


def add(s: Selector, a: Wide, b: Wide) -> Wide:
    """a + b; an address plus a number stays an address."""
    if a.address is not None and b.address is None:
        return s.from_address(s.moved(a.address, b))
    if b.address is not None and a.address is None:
        return s.from_address(s.moved(b.address, a))
    return Wide(*add_words(s, s.words(a), s.words(b)))


def add_words(s: Selector, a: Words, b: Words, carry: Operand = ZERO) -> Words:
    """a + b + carry."""
    over = s.b.op(Op.CARRY, a[0], b[0], carry)
    low = s.b.op(Op.ADD, a[0], b[0], carry)
    return low, s.b.op(Op.ADD, a[1], b[1], over)


def sub(s: Selector, a: Wide, b: Wide) -> Wide:
    """a - b; an address minus a number stays an address."""
    if a.address is not None and b.address is None:
        if b.literal is not None:
            return s.from_address(s.moved(a.address, Wide(lit(-b.literal), lit(-b.literal >> 32))))
        return s.from_address(s.moved(a.address, Wide(*sub_words(s, (ZERO, ZERO), s.words(b)))))
    raw = same_space(a, b)
    return Wide(*sub_words(s, s.words(a, raw), s.words(b, raw)))


def same_space(a: Wide, b: Wide) -> bool:
    """True for two addresses of one space: their difference and order are the same whatever its base is."""
    return a.address is not None and b.address is not None and a.address.space == b.address.space != ""


def sub_words(s: Selector, a: Words, b: Words, borrow: Operand = ZERO) -> Words:
    """a - b - borrow."""
    under = s.b.op(Op.BORROW, a[0], b[0], borrow)
    low = s.b.op(Op.SUB, a[0], b[0], borrow)
    return low, s.b.op(Op.SUB, a[1], b[1], under)


def multiply_wide(s: Selector, a: Operand, b: Operand, signed: bool) -> Wide:
    """The 64-bit product of two words."""
    if isinstance(a, Lit) and not isinstance(b, Lit):
        a, b = b, a
    if isinstance(b, Lit) and b.value.bit_count() == 1 and not (signed and b.value == SIGN):
        shift = b.value.bit_length() - 1
        if shift <= 3:
            return s.from_extended(a, signed, shift)
        top = s.b.op(Op.SAR if signed else Op.SHR, a, lit(32 - shift))
        return Wide(s.b.op(Op.SHL, a, lit(shift)), top)
    bounds = [x * y for x in s.b.range(a) for y in s.b.range(b)]
    low, high = min(bounds), max(bounds)
    positive = s.b.range(a)[0] >= 0 and s.b.range(b)[0] >= 0
    if (signed or positive) and low >= MIN and high <= MAX:
        return s.from_extended(s.b.op(Op.MUL, a, b), signed and low < 0)
    if positive and high <= MASK:
        return s.from_extended(s.b.op(Op.MUL, a, b), False)
    product = s.b.op(Op.MUL, a, b)
    return Wide(product, s.b.op(Op.MULHS if signed else Op.MULHU, a, b))


def multiply(s: Selector, a: Words, b: Words) -> Words:
    """The low 64 bits of a * b."""
    op = s.b.op
    cross = op(Op.MUL, a[0], b[1], op(Op.MUL, a[1], b[0]))
    return op(Op.MUL, a[0], b[0]), op(Op.MULHU, a[0], b[0], cross)


def negate(s: Selector, a: Words) -> Words:
    """0 - a."""
    return sub_words(s, (ZERO, ZERO), a)


def choose(s: Selector, a: Words, b: Words, cond: Operand) -> Words:
    """a if bit 0 of ``cond`` is set, else b."""
    return s.b.op(Op.SEL, a[0], b[0], cond), s.b.op(Op.SEL, a[1], b[1], cond)


def choose_wide(s: Selector, a: Wide, b: Wide, cond: Operand) -> Wide:
    """As `choose`; of two addresses it is an address."""
    one, two = a.address, b.address
    if one is not None and two is not None:
        word = s.b.op(Op.SEL, s.base(one), s.base(two), cond)
        space = one.space if one.space == two.space else ""
        return s.from_address(Address(word, space=space, generic=one.generic or two.generic))
    for address, other, first in ((one, b, True), (two, a, False)):
        if address is not None and other.high == ZERO and other.low is not None:
            words = (s.base(address), other.low) if first else (other.low, s.base(address))
            return s.from_address(
                replace(Address(s.b.op(Op.SEL, *words, cond)), space=address.space, generic=address.generic)
            )
    return Wide(*choose(s, s.words(a), s.words(b), cond))


def shift_left(s: Selector, a: Words, n: Operand) -> Words:
    """a << n, 0 for n >= 64.

    A machine shift by 32 or more gives 0, and 32 - n and n - 32 wrap to such counts where their term is not
    wanted; at n = 32 both terms that are left are the low word.
    """
    op = s.b.op
    if isinstance(n, Lit):
        k = n.value
        if k == 0:
            return a
        if k >= 32:
            return ZERO, op(Op.SHL, a[0], lit(k - 32)) if k < 64 else ZERO
    low = op(Op.SHL, a[0], n)
    carried = op(Op.SHR, a[0], op(Op.SUB, lit(32), n))
    high = op(Op.OR, op(Op.SHL, a[1], n), carried)
    if not isinstance(n, Lit):
        high = op(Op.OR, high, op(Op.SHL, a[0], op(Op.SUB, n, lit(32))))
    return low, high


def shift_right(s: Selector, a: Words, n: Operand, signed: bool) -> Words:
    """a >> n; for n >= 64 the sign or 0 in every bit. See `shift_left`."""
    op = s.b.op
    shift = Op.SAR if signed else Op.SHR
    if isinstance(n, Lit):
        k = n.value
        if k == 0:
            return a
        if k >= 32:
            fill = op(Op.SAR, a[1], lit(31)) if signed else ZERO
            return (op(shift, a[1], lit(min(k, 64) - 32)), fill)
    low = op(Op.OR, op(Op.SHR, a[0], n), op(Op.SHL, a[1], op(Op.SUB, lit(32), n)))
    high = op(shift, a[1], n)
    if not isinstance(n, Lit):
        far = op(shift, a[1], op(Op.SUB, n, lit(32)))
        if signed:
            low = op(Op.SEL, far, low, op(Op.LEU, lit(32), n))
        else:
            low = op(Op.OR, low, far)
    return low, high


def less(s: Selector, a: Words, b: Words, signed: bool, or_equal: bool) -> Operand:
    """1 if a < b (or a <= b): the borrow of a - b (or of a - b - 1), signs flipped if signed."""
    op = s.b.op
    low_op = Op.LEU if or_equal else Op.LTU
    if a[1] == b[1]:
        return op(low_op, a[0], b[0])
    if signed and b == (ZERO, ZERO) and not or_equal:
        return op(Op.LT, a[1], ZERO)
    low = op(low_op, a[0], b[0])
    if low == ZERO:
        return op(Op.LT if signed else Op.LTU, a[1], b[1])
    if low == ONE:
        return op(Op.LE if signed else Op.LEU, a[1], b[1])
    flip = lit(SIGN) if signed else ZERO
    return op(Op.BORROW, op(Op.XOR, a[1], flip), op(Op.XOR, b[1], flip), low)


def equal(s: Selector, a: Words, b: Words, negated: bool) -> Operand:
    """1 if a == b (or a != b)."""
    op = s.b.op
    test = Op.NE if negated else Op.EQ
    if a[1] == b[1]:
        return op(test, a[0], b[0])
    if b == (ZERO, ZERO):
        return op(test, op(Op.OR, a[0], a[1]), ZERO)
    return op(Op.OR if negated else Op.AND, op(test, a[0], b[0]), op(test, a[1], b[1]))
