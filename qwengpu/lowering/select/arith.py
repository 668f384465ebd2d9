"""add, sub, mul, mad and relatives."""

from __future__ import annotations

from typing import TYPE_CHECKING

from qwengpu.frontend.places import refusal
from qwengpu.frontend.ptx.ast import TYPE_BITS, Instruction
from qwengpu.isa import Op
from qwengpu.lowering.mir import Operand, VReg
from qwengpu.lowering.select import wide
from qwengpu.lowering.select.divide import divide
from qwengpu.lowering.select.values import Wide
from qwengpu.lowering.select.words import MAX, ZERO, lit

if TYPE_CHECKING:
    from qwengpu.lowering.select.selector import Selector


def kind(instr: Instruction) -> tuple[int, bool]:
    """(bits, signed) of the instruction's type, the last part of its opcode."""
    name = instr.mods[-1] if instr.mods else ""
    return type_bits(instr, name), name[:1] == "s"


def type_bits(instr: Instruction, name: str) -> int:
    """Width of a type."""
    if name not in TYPE_BITS:
        raise refusal(instr, f".{name} is no type that is supported here", "use 16- to 64-bit integer types")
    return TYPE_BITS[name]


def add(s: Selector, i: Instruction) -> None:
    bits, _ = kind(i)
    if i.op in ("addc", "subc") or "cc" in i.mods:
        add_carry(s, i)
    elif bits == 64:
        op = wide.add if i.op == "add" else wide.sub
        s.result(op(s, s.wide(i.operands[1]), s.wide(i.operands[2])), 64)
    else:
        a, b = (s.word(operand, bits) for operand in i.operands[1:3])
        if "sat" in i.mods:
            s.result(saturated(s, a, b, subtract=i.op == "sub"), bits)
        else:
            s.result(s.b.op(Op.ADD if i.op == "add" else Op.SUB, a, b), bits)


def saturated(s: Selector, a: Operand, b: Operand, subtract: bool) -> Operand:
    """a + b or a - b, clamped to the signed range: overflow shows in the signs of operands and result."""
    op = s.b.op
    plain = op(Op.SUB if subtract else Op.ADD, a, b)
    changed = op(Op.AND, op(Op.XOR, a, plain), op(Op.XOR, a if subtract else plain, b))
    limit = op(Op.XOR, op(Op.SAR, a, lit(31)), lit(MAX))
    return op(Op.SEL, limit, plain, op(Op.LT, changed, ZERO))


# --------------------------------------------------------------------------------------------------
# Carry chains. CC.CF is the carry of an addition and the borrow of a subtraction (PTX ISA, "subc").


def read_carry(s: Selector) -> Operand:
    """The condition code's carry flag."""
    if s.carry is None:
        s.carry = s.carry_register()
    return s.carry


def write_carry(s: Selector, value: Operand) -> None:
    """Set the carry flag (where the guard holds)."""
    if s.guard is not None:
        value = s.choose(value, read_carry(s))
    s.carry = value
    if isinstance(value, VReg):
        s.pinned.add(value)
    if s.carry_crosses:
        s.b.write(s.carry_register(), value, s.start, movable=False)


def add_carry(s: Selector, i: Instruction) -> None:
    bits, _ = kind(i)
    subtract = i.op.startswith("sub")
    taken = read_carry(s) if i.op in ("addc", "subc") else ZERO
    over = Op.BORROW if subtract else Op.CARRY
    value: Operand | Wide
    if bits == 64:
        a, b = s.words(s.wide(i.operands[1])), s.words(s.wide(i.operands[2]))
        inner = s.b.op(over, a[0], b[0], taken)
        out = s.b.op(over, a[1], b[1], inner) if "cc" in i.mods else ZERO
        words = wide.sub_words if subtract else wide.add_words
        value = Wide(*words(s, a, b, taken))
    else:
        x, y = s.word(i.operands[1]), s.word(i.operands[2])
        out = s.b.op(over, x, y, taken) if "cc" in i.mods else ZERO
        value = s.b.op(Op.SUB if subtract else Op.ADD, x, y, taken)
    s.result(value, bits)
    if "cc" in i.mods:
        write_carry(s, out)


# --------------------------------------------------------------------------------------------------
# Products


def _factors(s: Selector, i: Instruction, bits: int, signed: bool) -> tuple[Operand, Operand]:
    """Both factors, extended to 32 bits."""
    return s.extended(i.operands[1], bits, signed), s.extended(i.operands[2], bits, signed)


def _mode(s: Selector, i: Instruction) -> str:
    """Which half of a product is wanted."""
    if i.mods[0] not in ("lo", "hi", "wide"):
        raise s.refuse("the half of the product is not given", "write .lo, .hi or .wide")
    return i.mods[0]


def mul(s: Selector, i: Instruction) -> None:
    bits, signed = kind(i)
    mode = _mode(s, i)
    if mode == "wide" and bits == 16:
        s.result(s.b.op(Op.MUL, *_factors(s, i, 16, signed)), 32)
    elif mode == "wide":
        s.result(wide.multiply_wide(s, s.word(i.operands[1]), s.word(i.operands[2]), signed), 64)
    elif bits == 64:
        s.result(Wide(*_product64(s, i)), 64)
    elif mode == "hi" and bits == 16:
        product = s.b.op(Op.MUL, *_factors(s, i, 16, signed))
        s.result(s.b.op(Op.SAR if signed else Op.SHR, product, lit(16)), 16)
    else:
        s.result(_product(s, i, bits, signed, ZERO), bits)


def _product(s: Selector, i: Instruction, bits: int, signed: bool, c: Operand) -> Operand:
    """lo or hi product of words, plus c."""
    a, b = s.word(i.operands[1], bits), s.word(i.operands[2], bits)
    op = Op.MUL if i.mods[0] == "lo" else Op.MULHS if signed else Op.MULHU
    return s.b.op(op, a, b, c)


def _product64(s: Selector, i: Instruction) -> tuple[Operand, Operand]:
    if i.mods[0] != "lo":
        raise s.refuse(
            "the high half of a 64-bit product is not supported", "use 32-bit factors (mul.hi or mul.wide)"
        )
    return wide.multiply(s, s.words(s.wide(i.operands[1])), s.words(s.wide(i.operands[2])))


def mad(s: Selector, i: Instruction) -> None:
    bits, signed = kind(i)
    mode = _mode(s, i)
    if i.op == "madc" or "cc" in i.mods:
        mad_carry(s, i)
    elif mode == "wide" and bits == 16:
        a, b = _factors(s, i, 16, signed)
        s.result(s.b.op(Op.MUL, a, b, s.word(i.operands[3])), 32)
    elif mode == "wide":
        product = wide.multiply_wide(s, s.word(i.operands[1]), s.word(i.operands[2]), signed)
        s.result(wide.add(s, product, s.wide(i.operands[3])), 64)
    elif bits == 64:
        s.result(wide.add(s, Wide(*_product64(s, i)), s.wide(i.operands[3])), 64)
    elif mode == "hi" and bits == 16:
        product16 = s.b.op(Op.MUL, *_factors(s, i, 16, signed))
        high = s.b.op(Op.SAR if signed else Op.SHR, product16, lit(16))
        s.result(s.b.op(Op.ADD, high, s.word(i.operands[3], 16)), 16)
    elif "sat" in i.mods:
        s.result(saturated(s, _product(s, i, 32, signed, ZERO), s.word(i.operands[3]), subtract=False), 32)
    else:
        s.result(_product(s, i, bits, signed, s.word(i.operands[3], bits)), bits)


def mad_carry(s: Selector, i: Instruction) -> None:
    """mad with carry: the product's half first, then an addition with carry in and out."""
    bits, signed = kind(i)
    if bits != 32 or i.mods[0] == "wide":
        raise s.refuse("64-bit carry products are not supported", "use the 32-bit forms")
    taken = read_carry(s) if i.op == "madc" else ZERO
    half = _product(s, i, 32, signed, ZERO)
    c = s.word(i.operands[3])
    out = s.b.op(Op.CARRY, half, c, taken) if "cc" in i.mods else ZERO
    s.result(s.b.op(Op.ADD, half, c, taken), 32)
    if "cc" in i.mods:
        write_carry(s, out)


def _factors24(s: Selector, i: Instruction, signed: bool) -> tuple[Operand, Operand]:
    out = []
    for operand in i.operands[1:3]:
        word = s.word(operand)
        if signed:
            out.append(s.b.op(Op.SAR, s.b.op(Op.SHL, word, lit(8)), lit(8)))
        else:
            out.append(s.b.op(Op.AND, word, lit(0xFF_FFFF)))
    return out[0], out[1]


def mul24(s: Selector, i: Instruction) -> None:
    """mul24 and mad24; hi is bits 47..16 of the 48-bit product."""
    _, signed = kind(i)
    a, b = _factors24(s, i, signed)
    op = s.b.op
    c = s.word(i.operands[3]) if i.op == "mad24" else ZERO
    if i.mods[0] == "lo":
        s.result(op(Op.MUL, a, b, c), 32)
        return
    low = op(Op.SHR, op(Op.MUL, a, b), lit(16))
    high = op(Op.SHL, op(Op.MULHS if signed else Op.MULHU, a, b), lit(16))
    product = op(Op.OR, low, high)
    if "sat" in i.mods:
        s.result(saturated(s, product, c, subtract=False), 32)
    else:
        s.result(op(Op.ADD, product, c), 32)


# --------------------------------------------------------------------------------------------------
# The rest


def neg(s: Selector, i: Instruction) -> None:
    bits, _ = kind(i)
    if bits == 64:
        s.result(Wide(*wide.negate(s, s.words(s.wide(i.operands[1])))), 64)
    else:
        s.result(s.b.op(Op.SUB, ZERO, s.word(i.operands[1], bits)), bits)


def absolute(s: Selector, a: Operand) -> Operand:
    """|a|; INT_MIN stays."""
    if s.b.range(a)[0] >= 0:
        return a
    return s.b.op(Op.MAX, a, s.b.op(Op.SUB, ZERO, a))


def abs_(s: Selector, i: Instruction) -> None:
    bits, _ = kind(i)
    if bits == 64:
        a = s.words(s.wide(i.operands[1]))
        s.result(Wide(*wide.choose(s, wide.negate(s, a), a, s.b.op(Op.LT, a[1], ZERO))), 64)
    else:
        s.result(absolute(s, s.extended(i.operands[1], bits, True)), bits)


def min_max(s: Selector, i: Instruction) -> None:
    bits, signed = kind(i)
    if len(i.mods) > 1:
        raise s.refuse(f"the form .{i.mods[0]} is not supported", "use min and max without it")
    smaller = i.op == "min"
    if bits == 64:
        a, b = s.words(s.wide(i.operands[1])), s.words(s.wide(i.operands[2]))
        less = wide.less(s, a, b, signed, or_equal=False)
        s.result(Wide(*(wide.choose(s, a, b, less) if smaller else wide.choose(s, b, a, less))), 64)
        return
    a32, b32 = s.extended(i.operands[1], bits, signed), s.extended(i.operands[2], bits, signed)
    op = {(True, True): Op.MIN, (False, True): Op.MAX, (True, False): Op.MINU, (False, False): Op.MAXU}
    s.result(s.b.op(op[smaller, signed], a32, b32), bits)


def sad(s: Selector, i: Instruction) -> None:
    """c + |a - b|: the larger minus the smaller."""
    bits, signed = kind(i)
    if bits == 64:
        a, b = s.words(s.wide(i.operands[1])), s.words(s.wide(i.operands[2]))
        less = wide.less(s, a, b, signed, or_equal=False)
        up, down = wide.sub_words(s, a, b), wide.sub_words(s, b, a)
        distance = wide.choose(s, down, up, less)
        s.result(Wide(*wide.add_words(s, distance, s.words(s.wide(i.operands[3])))), 64)
        return
    a32, b32 = s.extended(i.operands[1], bits, signed), s.extended(i.operands[2], bits, signed)
    op = s.b.op
    high, low = (
        (op(Op.MAX, a32, b32), op(Op.MIN, a32, b32))
        if signed
        else (
            op(Op.MAXU, a32, b32),
            op(Op.MINU, a32, b32),
        )
    )
    s.result(op(Op.ADD, op(Op.SUB, high, low), s.word(i.operands[3], bits)), bits)


def div_rem(s: Selector, i: Instruction) -> None:
    bits, signed = kind(i)
    if bits == 64:
        raise s.refuse("64-bit division is not supported", "divide 32-bit values, or shift by a power of two")
    x, d = s.extended(i.operands[1], bits, signed), s.extended(i.operands[2], bits, signed)
    quotient, remainder = divide(s, x, d, signed, i.op == "div")
    s.result(quotient if i.op == "div" else remainder, bits)


def dot(s: Selector, i: Instruction) -> None:
    """dp4a, dp2a: c + the sum of products of bytes (dp2a: of halves of a with two bytes of b)."""
    a_signed, b_signed = i.mods[-2][0] == "s", i.mods[-1][0] == "s"
    a, b, total = (s.word(operand) for operand in i.operands[1:4])
    if i.op == "dp4a":
        pairs = [(_byte(s, a, n, a_signed), _byte(s, b, n, b_signed)) for n in range(4)]
    else:
        first = 0 if i.mods[0] == "lo" else 2
        halves = [s.extend(a, 16, a_signed), s.b.op(Op.SAR if a_signed else Op.SHR, a, lit(16))]
        pairs = [(half, _byte(s, b, first + n, b_signed)) for n, half in enumerate(halves)]
    for x, y in pairs:
        total = s.b.op(Op.MUL, x, y, total)
    s.result(total, 32)


def _byte(s: Selector, word: Operand, number: int, signed: bool) -> Operand:
    """Byte ``number`` of a word, extended."""
    if signed:
        return s.b.op(Op.PRMT, word, ZERO, lit(0x8880 + 0x1111 * number))
    return s.b.op(Op.PRMT, word, ZERO, lit(0x4440 + number))


HANDLERS = {
    "add": add,
    "sub": add,
    "addc": add,
    "subc": add,
    "mul": mul,
    "mad": mad,
    "madc": mad,
    "mul24": mul24,
    "mad24": mul24,
    "neg": neg,
    "abs": abs_,
    "min": min_max,
    "max": min_max,
    "sad": sad,
    "div": div_rem,
    "rem": div_rem,
    "dp4a": dot,
    "dp2a": dot,
}
