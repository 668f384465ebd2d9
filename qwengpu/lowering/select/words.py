"""Literals and value ranges of 32-bit words, and constant evaluation of machine operations."""

from __future__ import annotations

from collections.abc import Callable

from qwengpu.isa import Mod, Op, Width
from qwengpu.lowering.mir import Lit, Operand

MASK = 0xFFFF_FFFF
SIGN = 0x8000_0000
MIN = -0x8000_0000
MAX = 0x7FFF_FFFF

Range = tuple[int, int]
"""Bounds of a word read as a signed number, both inclusive."""

FULL: Range = (MIN, MAX)
BIT: Range = (0, 1)

ZERO = Lit(0)
ONE = Lit(1)
ONES = Lit(MASK)


def lit(value: int) -> Lit:
    """The literal of the low 32 bits of ``value``."""
    return Lit(value & MASK)


def signed(word: int) -> int:
    """A word read as a signed number."""
    return word - (1 << 32) if word & SIGN else word


def reciprocal(a: int) -> int:
    """RCP (docs/machine.md, section 4)."""
    if a == 0:
        return MASK
    n = 32 - a.bit_length()
    t = (1 << 19) // (1 + ((a << n & MASK) >> 22))
    return t << (n - 9) & MASK if n >= 9 else t >> (9 - n)


def _shift_right(a: int, b: int) -> int:
    return a >> b if b < 32 else 0


def _permute(a: int, b: int, c: int) -> int:
    out = 0
    for i in range(4):
        nibble = c >> 4 * i & 15
        byte = (b << 32 | a) >> 8 * (nibble & 7) & 255
        out |= (255 * (byte >> 7) if nibble & 8 else byte) << 8 * i
    return out


_EVALUATE: dict[Op, Callable[[int, int, int], int]] = {
    Op.ADD: lambda a, b, c: a + b + (c & 1),
    Op.SUB: lambda a, b, c: a - b - (c & 1),
    Op.CARRY: lambda a, b, c: int(a + b + (c & 1) > MASK),
    Op.BORROW: lambda a, b, c: int(a - b - (c & 1) < 0),
    Op.AND: lambda a, b, c: a & b,
    Op.OR: lambda a, b, c: a | b,
    Op.XOR: lambda a, b, c: a ^ b,
    Op.ANDN: lambda a, b, c: a & ~b,
    Op.EQ: lambda a, b, c: int(a == b),
    Op.NE: lambda a, b, c: int(a != b),
    Op.LT: lambda a, b, c: int(signed(a) < signed(b)),
    Op.LE: lambda a, b, c: int(signed(a) <= signed(b)),
    Op.LTU: lambda a, b, c: int(a < b),
    Op.LEU: lambda a, b, c: int(a <= b),
    Op.MIN: lambda a, b, c: min(signed(a), signed(b)),
    Op.MAX: lambda a, b, c: max(signed(a), signed(b)),
    Op.MINU: lambda a, b, c: min(a, b),
    Op.MAXU: lambda a, b, c: max(a, b),
    Op.SEL: lambda a, b, c: a if c & 1 else b,
    Op.SHL: lambda a, b, c: a << b if b < 32 else 0,
    Op.SHR: lambda a, b, c: _shift_right(a, b),
    Op.SAR: lambda a, b, c: signed(a) >> min(b, 31),
    Op.POPC: lambda a, b, c: a.bit_count(),
    Op.CLZ: lambda a, b, c: 32 - a.bit_length(),
    Op.BREV: lambda a, b, c: int(f"{a:032b}"[::-1], 2),
    Op.PRMT: _permute,
    Op.MUL: lambda a, b, c: a * b + c,
    Op.MULHU: lambda a, b, c: (a * b >> 32) + c,
    Op.MULHS: lambda a, b, c: (signed(a) * signed(b) >> 32) + c,
    Op.RCP: lambda a, b, c: reciprocal(a),
}

PURE = frozenset(_EVALUATE)
"""Operations whose result is a function of the operands alone, and that never fault."""


def evaluate(op: Op, a: int, b: int, c: int) -> Lit:
    """Result of a pure operation on literals."""
    return lit(_EVALUATE[op](a, b, c))


def simplify(op: Op, a: Operand, b: Operand, c: Operand) -> Operand | None:
    """An operand that equals ``op(a, b, c)`` without an operation, or None."""
    zero_a, zero_b, zero_c = a == ZERO, b == ZERO, c == ZERO
    match op:
        case Op.ADD if zero_c and (zero_a or zero_b):
            return b if zero_a else a
        case Op.SUB | Op.OR | Op.XOR if zero_b and zero_c:
            return a
        case Op.OR | Op.XOR if zero_a:
            return b
        case Op.XOR if a == b:
            return ZERO
        case Op.SUB if a == b and zero_c:
            return ZERO
        case Op.OR if ONES in (a, b):
            return ONES
        case Op.AND:
            if zero_a or zero_b:
                return ZERO
            if b in (ONES, a):
                return a
            if a == ONES:
                return b
        case Op.ANDN:
            if zero_b:
                return a
            if zero_a or b in (ONES, a):
                return ZERO
        case Op.CARRY if zero_c and (zero_a or zero_b):
            return ZERO
        case Op.BORROW if zero_b and zero_c:
            return ZERO
        case Op.SHL | Op.SHR | Op.SAR:
            if zero_b or zero_a:
                return a
            if op is not Op.SAR and isinstance(b, Lit) and b.value >= 32:
                return ZERO
        case Op.MUL if zero_a or zero_b:
            return c
        case Op.MUL if zero_c and ONE in (a, b):
            return b if a == ONE else a
        case Op.MULHU if zero_a or zero_b or ONE in (a, b):
            return c
        case Op.MULHS if zero_a or zero_b:
            return c
        case Op.SEL:
            if a == b:
                return a
            if isinstance(c, Lit):
                return a if c.value & 1 else b
        case Op.EQ | Op.LE | Op.LEU if a == b:
            return ONE
        case Op.NE | Op.LT | Op.LTU if a == b:
            return ZERO
        case Op.LTU if zero_b:
            return ZERO
        case Op.LEU if zero_a:
            return ONE
        case Op.MIN | Op.MAX | Op.MINU | Op.MAXU if a == b:
            return a
    return None


def result_range(op: Op, a: Range, b: Range, c: Range, mod: Mod) -> Range:
    """Bounds of the result of an operation from those of its operands."""
    match op:
        case Op.EQ | Op.NE | Op.LT | Op.LE | Op.LTU | Op.LEU | Op.CARRY | Op.BORROW | Op.SHFLP:
            return BIT
        case Op.AND:
            tops = [high for low, high in (a, b) if low >= 0]
            return (0, min(tops)) if tops else FULL
        case Op.ANDN if a[0] >= 0:
            return (0, a[1])
        case Op.OR | Op.XOR if a[0] >= 0 and b[0] >= 0:
            return (0, (1 << max(a[1], b[1]).bit_length()) - 1)
        case Op.ADD if c == (0, 0):
            return _checked(a[0] + b[0], a[1] + b[1])
        case Op.SUB if c == (0, 0):
            return _checked(a[0] - b[1], a[1] - b[0])
        case Op.SHR if b[0] == b[1] and b[0] > 0:
            return (0, MASK >> min(b[0], 32)) if a[0] < 0 else (0, a[1] >> min(b[0], 32))
        case Op.SHR if a[0] >= 0:
            return (0, a[1])
        case Op.SAR if b[0] == b[1] and 0 <= b[0] < 32:
            return (a[0] >> b[0], a[1] >> b[0])
        case Op.SHL if b[0] == b[1] and 0 <= b[0] < 32:
            return _checked(a[0] << b[0], a[1] << b[0])
        case Op.MUL if a[0] >= 0 and b[0] >= 0 and c[0] >= 0:
            return _checked(0, a[1] * b[1] + c[1])
        case Op.POPC | Op.CLZ:
            return (0, 32)
        case Op.SEL | Op.SHFL:
            return (min(a[0], b[0]), max(a[1], b[1])) if op is Op.SEL else a
        case Op.MIN:
            return (min(a[0], b[0]), min(a[1], b[1]))
        case Op.MAX:
            return (max(a[0], b[0]), max(a[1], b[1]))
        case Op.MINU | Op.MAXU if a[0] >= 0 and b[0] >= 0:
            pick = min if op is Op.MINU else max
            return (pick(a[0], b[0]), pick(a[1], b[1]))
        case Op.MINU if a[0] >= 0 or b[0] >= 0:
            return (0, a[1] if a[0] >= 0 else b[1])
        case Op.LD:
            return LOADED_RANGE.get(mod.width, FULL)
    return FULL


LOADED_RANGE: dict[Width, Range] = {
    Width.U8: (0, 255),
    Width.S8: (-128, 127),
    Width.U16: (0, 65535),
    Width.S16: (-32768, 32767),
}


def _checked(low: int, high: int) -> Range:
    return (low, high) if low >= MIN and high <= MAX else FULL
