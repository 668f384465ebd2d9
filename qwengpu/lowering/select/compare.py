"""setp, set, selp, slct."""

from __future__ import annotations

from typing import TYPE_CHECKING

from qwengpu.frontend.ptx.ast import Instruction, Pair
from qwengpu.frontend.ptx.ast import Operand as PtxOperand
from qwengpu.isa import Op
from qwengpu.lowering.mir import Operand
from qwengpu.lowering.select import wide
from qwengpu.lowering.select.arith import type_bits
from qwengpu.lowering.select.values import Wide
from qwengpu.lowering.select.words import ONE, ZERO
from qwengpu.lowering.select.words import signed as as_signed

if TYPE_CHECKING:
    from qwengpu.lowering.select.selector import Selector, Value

UNSIGNED_NAMES = {"lo": "lt", "ls": "le", "hi": "gt", "hs": "ge"}
RELATIONS = frozenset({"eq", "ne", "lt", "le", "gt", "ge"})
COMBINE = {"and": Op.AND, "or": Op.OR, "xor": Op.XOR}
EQUALITY = {"eq": Op.EQ, "ne": Op.NE}
ORDER = {(True, False): Op.LT, (True, True): Op.LE, (False, False): Op.LTU, (False, True): Op.LEU}
"""(signed, or equal) -> operation."""


def relation(s: Selector, name: str, kind: str, x: PtxOperand, y: PtxOperand) -> Operand:
    """1 if ``x name y`` for operands of type ``kind``, else 0."""
    bits, signed = type_bits(s.instr, kind), kind[:1] == "s"
    if name in UNSIGNED_NAMES:
        name, signed = UNSIGNED_NAMES[name], False
    if name not in RELATIONS:
        raise s.refuse(f"comparison .{name} is not supported", "use eq, ne, lt, le, gt or ge")
    if bits == 64:
        return _relation64(s, name, signed, s.wide(x), s.wide(y))
    a, b = s.extended(x, bits, signed), s.extended(y, bits, signed)
    if name in EQUALITY:
        return s.b.op(EQUALITY[name], a, b)
    if name in ("gt", "ge"):
        a, b = b, a
    return s.b.op(ORDER[signed, name in ("le", "ge")], a, b)


def _relation64(s: Selector, name: str, signed: bool, x: Wide, y: Wide) -> Operand:
    narrow = _as_words(s, x, y)
    if narrow is not None:
        a, b, both_signed = narrow
        signed = signed and both_signed
        if name in EQUALITY:
            return s.b.op(EQUALITY[name], a, b)
        if name in ("gt", "ge"):
            a, b = b, a
        return s.b.op(ORDER[signed, name in ("le", "ge")], a, b)
    raw = wide.same_space(x, y)
    p, q = s.words(x, raw), s.words(y, raw)
    if name in EQUALITY:
        return wide.equal(s, p, q, negated=name == "ne")
    if name in ("gt", "ge"):
        p, q = q, p
    return wide.less(s, p, q, signed, or_equal=name in ("le", "ge"))


def _as_words(s: Selector, x: Wide, y: Wide) -> tuple[Operand, Operand, bool] | None:
    """(a, b, signed) if both are words extended alike: their order is that of the words (unsigned order of
    sign-extended words is their unsigned order too)."""
    for first, second, swapped in ((x, y, False), (y, x, True)):
        form = first.extended
        if form is None or form.scale:
            continue
        other = second.extended
        word: Operand
        if other is not None and not other.scale and other.signed == form.signed:
            word = other.word
        elif second.literal is not None and second.low is not None:
            fill = second.literal >> 32
            word = second.low
            low = as_signed(second.literal & 0xFFFF_FFFF)
            if fill != (0xFFFF_FFFF if form.signed and low < 0 else 0):
                continue
        else:
            continue
        return (word, form.word, form.signed) if swapped else (form.word, word, form.signed)
    return None


def setp(s: Selector, i: Instruction) -> None:
    """p = (a cmp b) op c, q = !(a cmp b) op c."""
    holds = relation(s, i.mods[0], i.mods[-1], i.operands[1], i.operands[2])
    dest = i.operands[0]
    combine = i.mods[1] if len(i.mods) == 3 else None
    if len(i.mods) not in (2, 3) or len(i.operands) != (3 if combine is None else 4):
        raise s.refuse("the instruction is not complete", "give it a comparison, a type and its operands")
    c = s.pred(i.operands[3]) if combine is not None else ZERO

    def combined(value: Operand) -> Operand:
        return value if combine is None else s.b.op(_combination(s, combine), value, c)

    if isinstance(dest, Pair):
        s.assign([(dest.first, combined(holds)), (dest.second, combined(s.b.op(Op.XOR, holds, ONE)))])
    else:
        s.result(combined(holds), 1)


def _combination(s: Selector, name: str) -> Op:
    if name not in COMBINE:
        raise s.refuse(f"combination .{name} is not supported", "use and, or or xor")
    return COMBINE[name]


def set_(s: Selector, i: Instruction) -> None:
    """All ones if the comparison holds, else 0."""
    if len(i.mods) not in (3, 4) or len(i.operands) != len(i.mods):
        raise s.refuse("the instruction is not complete", "give it a comparison, two types and its operands")
    to = i.mods[-2]
    if to not in ("u32", "s32"):
        raise s.refuse(f"result type .{to} is not supported", "use .u32 or .s32")
    holds = relation(s, i.mods[0], i.mods[-1], i.operands[1], i.operands[2])
    if len(i.mods) == 4:
        holds = s.b.op(_combination(s, i.mods[1]), holds, s.pred(i.operands[3]))
    s.result(s.b.op(Op.SUB, ZERO, holds), 32)


def selp(s: Selector, i: Instruction) -> None:
    bits = type_bits(i, i.mods[-1])
    cond = s.pred(i.operands[3])
    s.result(_choice(s, bits, i.operands[1], i.operands[2], cond), bits)


def _choice(s: Selector, bits: int, x: PtxOperand, y: PtxOperand, cond: Operand) -> Value:
    if bits == 64:
        return wide.choose_wide(s, s.wide(x), s.wide(y), cond)
    return s.b.op(Op.SEL, s.word(x, bits), s.word(y, bits), cond)


def slct(s: Selector, i: Instruction) -> None:
    """a if c >= 0 else b."""
    if i.mods[-1] != "s32":
        raise s.refuse(f"a selector of type .{i.mods[-1]} is not supported", "use .s32")
    bits = type_bits(i, i.mods[-2])
    negative = s.b.op(Op.LT, s.word(i.operands[3]), ZERO)
    s.result(_choice(s, bits, i.operands[2], i.operands[1], negative), bits)


HANDLERS = {"setp": setp, "set": set_, "selp": selp, "slct": slct}
