"""Logic, shifts, bit fields, permutations."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from qwengpu.frontend.ptx.ast import Immediate, Instruction
from qwengpu.frontend.ptx.ast import Operand as PtxOperand
from qwengpu.isa import Op
from qwengpu.lowering.mir import Lit, Operand
from qwengpu.lowering.select import wide
from qwengpu.lowering.select.arith import kind
from qwengpu.lowering.select.values import Wide
from qwengpu.lowering.select.words import MASK, ONE, ONES, ZERO, lit

if TYPE_CHECKING:
    from qwengpu.lowering.select.selector import Selector

Words = tuple[Operand, Operand]

LOGIC = {"and": Op.AND, "or": Op.OR, "xor": Op.XOR}


def logic(s: Selector, i: Instruction) -> None:
    op = LOGIC[i.op]
    if i.mods[-1] == "pred":
        s.result(s.b.op(op, s.pred(i.operands[1]), s.pred(i.operands[2])), 1)
        return
    bits, _ = kind(i)
    if bits == 64:
        a, b = s.words(s.wide(i.operands[1])), s.words(s.wide(i.operands[2]))
        s.result(Wide(s.b.op(op, a[0], b[0]), s.b.op(op, a[1], b[1])), 64)
    else:
        s.result(s.b.op(op, s.word(i.operands[1], bits), s.word(i.operands[2], bits)), bits)


def not_(s: Selector, i: Instruction) -> None:
    if i.mods[-1] == "pred":
        s.result(s.b.op(Op.XOR, s.pred(i.operands[1]), ONE), 1)
        return
    bits, _ = kind(i)
    if bits == 64:
        low, high = s.words(s.wide(i.operands[1]))
        s.result(Wide(s.b.op(Op.XOR, low, ONES), s.b.op(Op.XOR, high, ONES)), 64)
    else:
        s.result(s.b.op(Op.XOR, s.word(i.operands[1], bits), ONES), bits)


def cnot(s: Selector, i: Instruction) -> None:
    """1 if the source is 0, else 0."""
    bits, _ = kind(i)
    if bits == 64:
        s.result(Wide(wide.equal(s, s.words(s.wide(i.operands[1])), (ZERO, ZERO), negated=False), ZERO), 64)
    else:
        s.result(s.b.op(Op.EQ, s.extended(i.operands[1], bits, False), ZERO), bits)


def shift(s: Selector, i: Instruction) -> None:
    """shl and shr: counts beyond the width shift everything out, as the machine does."""
    bits, signed = kind(i)
    count = s.word(i.operands[2])
    if bits == 64:
        shift64(s, i, count, signed)
    elif i.op == "shl":
        s.result(s.b.op(Op.SHL, s.word(i.operands[1], bits), count), bits)
    else:
        value = s.extended(i.operands[1], bits, signed)
        s.result(s.b.op(Op.SAR if signed else Op.SHR, value, count), bits)


def shift64(s: Selector, i: Instruction, count: Operand, signed: bool) -> None:
    source = s.wide(i.operands[1])
    if i.op == "shr":
        s.result(Wide(*wide.shift_right(s, s.words(source), count, signed)), 64)
        return
    form = source.extended
    if form is not None and isinstance(count, Lit) and form.scale + count.value <= 3:
        s.result(s.from_extended(form.word, form.signed, form.scale + count.value), 64)
    else:
        s.result(Wide(*wide.shift_left(s, s.words(source), count)), 64)


def funnel(s: Selector, i: Instruction) -> None:
    """shf: 32 bits of b:a << n (the high ones) or b:a >> n (the low ones); n is wrapped or clamped to 32."""
    if i.mods[0] not in ("l", "r") or i.mods[1] not in ("wrap", "clamp"):
        raise s.refuse("direction or mode is missing", "write .l or .r and .wrap or .clamp")
    left, wrap = i.mods[0] == "l", i.mods[1] == "wrap"
    a, b, n = (s.word(operand) for operand in i.operands[1:4])
    op = s.b.op
    n = op(Op.AND, n, lit(31)) if wrap else op(Op.MINU, n, lit(32))
    rest = op(Op.SUB, lit(32), n)
    if left:
        s.result(op(Op.OR, op(Op.SHL, b, n), op(Op.SHR, a, rest)), 32)
    else:
        s.result(op(Op.OR, op(Op.SHL, b, rest), op(Op.SHR, a, n)), 32)


# --------------------------------------------------------------------------------------------------
# Bit fields. Position and length are the low 8 bits of their operands (PTX ISA, "bfe", "bfi").


def _field(s: Selector, operand: PtxOperand) -> Operand:
    return (
        s.extended(operand, 8, False)
        if isinstance(operand, Immediate)
        else s.b.op(Op.AND, s.word(operand), lit(255))
    )


def extract(s: Selector, i: Instruction) -> None:
    """bfe: the field, extended by bit min(pos + len, width) - 1; length 0 gives 0."""
    bits, signed = kind(i)
    pos, length = _field(s, i.operands[2]), _field(s, i.operands[3])
    op = s.b.op
    if bits == 32:
        a = s.word(i.operands[1])
        moved = op(Op.SAR if signed else Op.SHR, a, pos)
        if signed:
            # Up to the length's top bit and back down: the sign bit of `moved` beyond bit 31 is already there.
            top = op(Op.SUB, lit(32), op(Op.MINU, length, lit(32)))
            s.result(op(Op.SAR, op(Op.SHL, moved, top), top), 32)
        else:
            s.result(op(Op.AND, moved, op(Op.SUB, op(Op.SHL, ONE, length), ONE)), 32)
        return
    moved64 = wide.shift_right(s, s.words(s.wide(i.operands[1])), pos, signed)
    if signed:
        top = op(Op.SUB, lit(64), op(Op.MINU, length, lit(64)))
        s.result(Wide(*wide.shift_right(s, wide.shift_left(s, moved64, top), top, True)), 64)
    else:
        mask = _mask64(s, length)
        s.result(Wide(op(Op.AND, moved64[0], mask[0]), op(Op.AND, moved64[1], mask[1])), 64)


def _mask64(s: Selector, length: Operand) -> Words:
    """The lowest ``length`` bits (all from 64 on)."""
    return wide.sub_words(s, wide.shift_left(s, (ONE, ZERO), length), (ONE, ZERO))


def insert(s: Selector, i: Instruction) -> None:
    """bfi: b with the field replaced by the low bits of a; what lies beyond the width is dropped."""
    bits, _ = kind(i)
    pos, length = _field(s, i.operands[3]), _field(s, i.operands[4])
    op = s.b.op

    def merge(a: Operand, b: Operand, mask: Operand) -> Operand:
        return op(Op.OR, op(Op.AND, a, mask), op(Op.ANDN, b, mask))

    if bits == 32:
        a, b = s.word(i.operands[1]), s.word(i.operands[2])
        mask = op(Op.SHL, op(Op.SUB, op(Op.SHL, ONE, length), ONE), pos)
        s.result(merge(op(Op.SHL, a, pos), b, mask), 32)
        return
    a64, b64 = s.words(s.wide(i.operands[1])), s.words(s.wide(i.operands[2]))
    mask64 = wide.shift_left(s, _mask64(s, length), pos)
    moved = wide.shift_left(s, a64, pos)
    s.result(Wide(merge(moved[0], b64[0], mask64[0]), merge(moved[1], b64[1], mask64[1])), 64)


def find(s: Selector, i: Instruction) -> None:
    """bfind: number of the highest bit that differs from the sign (unsigned: is set), all ones if none;
    .shiftamt: how far it is from the top."""
    bits, signed = kind(i)
    op = s.b.op
    if bits == 64:
        words = s.words(s.wide(i.operands[1]))
        if signed:
            fill = op(Op.SAR, words[1], lit(31))
            words = (op(Op.XOR, words[0], fill), op(Op.XOR, words[1], fill))
        zeros = _leading64(s, words)
        nothing = op(Op.EQ, zeros, lit(64))
    else:
        a = s.word(i.operands[1])
        if signed:
            a = op(Op.XOR, a, op(Op.SAR, a, lit(31)))
        zeros = op(Op.CLZ, a)
        nothing = op(Op.EQ, zeros, lit(32))
    if "shiftamt" in i.mods:
        s.result(op(Op.SEL, ONES, zeros, nothing), 32)
    else:
        s.result(op(Op.SUB, lit(bits - 1), zeros), 32)


def _leading64(s: Selector, words: Words) -> Operand:
    op = s.b.op
    if words[1] == ZERO:
        return op(Op.ADD, op(Op.CLZ, words[0]), lit(32))
    below = op(Op.ADD, op(Op.CLZ, words[0]), lit(32))
    return op(Op.SEL, op(Op.CLZ, words[1]), below, op(Op.NE, words[1], ZERO))


def count(s: Selector, i: Instruction) -> None:
    """popc, clz, brev."""
    bits, _ = kind(i)
    op = s.b.op
    if bits == 32:
        a = s.word(i.operands[1])
        s.result(op({"popc": Op.POPC, "clz": Op.CLZ, "brev": Op.BREV}[i.op], a), 32)
        return
    words = s.words(s.wide(i.operands[1]))
    if i.op == "popc":
        s.result(op(Op.ADD, op(Op.POPC, words[0]), op(Op.POPC, words[1])), 32)
    elif i.op == "clz":
        s.result(_leading64(s, words), 32)
    else:
        s.result(Wide(op(Op.BREV, words[1]), op(Op.BREV, words[0])), 64)


# --------------------------------------------------------------------------------------------------
# Permutations

MODES: dict[str, tuple[int, int, int, int]] = {
    "f4e": (0x3210, 0x4321, 0x5432, 0x6543),
    "b4e": (0x5670, 0x6701, 0x7012, 0x0123),
    "rc8": (0x0000, 0x1111, 0x2222, 0x3333),
    "ecl": (0x3210, 0x3211, 0x3222, 0x3333),
    "ecr": (0x0000, 0x1110, 0x2210, 0x3210),
    "rc16": (0x1010, 0x3232, 0x1010, 0x3232),
}
"""Generic selectors of prmt's modes for c & 3 = 0..3 (PTX ISA, "prmt")."""


def permute(s: Selector, i: Instruction) -> None:
    a, b, c = (s.word(operand) for operand in i.operands[1:4])
    mode = next((mod for mod in i.mods if mod in MODES), None)
    op = s.b.op
    if mode is not None:
        first, second, third, fourth = map(lit, MODES[mode])
        upper = op(Op.SHR, c, ONE)
        c = op(Op.SEL, op(Op.SEL, fourth, third, c), op(Op.SEL, second, first, c), upper)
    s.result(op(Op.PRMT, a, b, c), 32)


# --------------------------------------------------------------------------------------------------
# lop3

Formula = tuple[Op, "Formula", "Formula"] | str
"""``a``, ``b``, ``c``, ``0``, ``1`` (all ones), or an operation on two formulas."""

TABLES = {"a": 0xF0, "b": 0xCC, "c": 0xAA, "0": 0x00, "1": 0xFF}


@cache
def _formulas() -> dict[int, Formula]:
    """A shortest formula of AND, OR, XOR, ANDN for each of the 256 truth tables, found by size."""
    best: dict[int, Formula] = {table: name for name, table in TABLES.items()}
    sizes: list[list[int]] = [list(best)]
    while len(best) < 256:
        size = len(sizes)
        new: dict[int, Formula] = {}
        for left in range(size):
            right = size - 1 - left
            for x in sizes[left]:
                for y in sizes[right]:
                    for table, op in (
                        (x & y, Op.AND),
                        (x | y, Op.OR),
                        (x ^ y, Op.XOR),
                        (x & ~y, Op.ANDN),
                    ):
                        if table not in best and table not in new:
                            new[table] = (op, best[x], best[y])
        best.update(new)
        sizes.append(list(new))
    return best


def lop3(s: Selector, i: Instruction) -> None:
    if i.mods[0] != "b32":
        raise s.refuse("the form with a predicate result is not supported", "use lop3.b32 and setp")
    names: dict[str, Operand] = dict(zip("abc", (s.word(operand) for operand in i.operands[1:4]), strict=True))
    names |= {"0": ZERO, "1": ONES}
    table = i.operands[4]
    if not isinstance(table, Immediate):
        raise s.refuse("the truth table is no constant", "write it as a number")

    def build(formula: Formula) -> Operand:
        if isinstance(formula, str):
            return names[formula]
        return s.b.op(formula[0], build(formula[1]), build(formula[2]))

    s.result(build(_formulas()[table.value & 255]), 32)


# --------------------------------------------------------------------------------------------------
# szext, bmsk


def sign_or_zero_extend(s: Selector, i: Instruction) -> None:
    """szext: a cut to its low b bits and extended; clamp: b above 31 changes nothing; wrap: b & 31."""
    _, signed = kind(i)
    a, b = s.word(i.operands[1]), s.word(i.operands[2])
    op = s.b.op
    length = op(Op.AND, b, lit(31)) if i.mods[0] == "wrap" else op(Op.MINU, b, lit(32))
    top = op(Op.SUB, lit(32), length)
    s.result(op(Op.SAR if signed else Op.SHR, op(Op.SHL, a, top), top), 32)


def bit_mask(s: Selector, i: Instruction) -> None:
    """bmsk: b ones from bit a on."""
    a, b = s.word(i.operands[1]), s.word(i.operands[2])
    op = s.b.op
    if i.mods[0] == "wrap":
        a, b = op(Op.AND, a, lit(31)), op(Op.AND, b, lit(31))
    s.result(op(Op.SHL, op(Op.SUB, op(Op.SHL, ONE, b), ONE), a), 32)


HANDLERS = {
    "and": logic,
    "or": logic,
    "xor": logic,
    "not": not_,
    "cnot": cnot,
    "shl": shift,
    "shr": shift,
    "shf": funnel,
    "bfe": extract,
    "bfi": insert,
    "bfind": find,
    "popc": count,
    "clz": count,
    "brev": count,
    "prmt": permute,
    "lop3": lop3,
    "szext": sign_or_zero_extend,
    "bmsk": bit_mask,
}

__all__ = ["HANDLERS", "MASK"]
