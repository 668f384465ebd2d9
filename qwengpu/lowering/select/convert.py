"""mov, cvt, cvta, isspacep."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from qwengpu.frontend.ptx.ast import TYPE_BITS, Instruction, Register, Vector
from qwengpu.isa import Op
from qwengpu.lowering.mir import Operand
from qwengpu.lowering.select import wide
from qwengpu.lowering.select.arith import type_bits
from qwengpu.lowering.select.values import Wide
from qwengpu.lowering.select.words import MASK, MAX, ONE, ONES, SIGN, ZERO, lit

if TYPE_CHECKING:
    from qwengpu.lowering.select.selector import Selector, Value


def mov(s: Selector, i: Instruction) -> None:
    kind = i.mods[-1]
    bits = type_bits(i, kind)
    dest, source = i.operands
    if isinstance(dest, Vector):
        unpack(s, i, dest, bits)
    elif isinstance(source, Vector):
        s.result(pack(s, source, bits), bits)
    elif kind == "pred":
        s.result(s.pred(source), 1)
    elif bits == 64:
        s.result(s.wide(source), 64)
    else:
        s.result(s.word(source, bits), bits)


def pack(s: Selector, source: Vector, bits: int) -> Value:
    """Elements, lowest first, in one value."""
    size = bits // len(source.items)
    if size == 32:
        return Wide(s.word(source.items[0]), s.word(source.items[1]))
    if size not in (8, 16) or bits > 64:
        raise s.refuse(f"packing {len(source.items)} elements into {bits} bits", "pack 2 or 4 elements")
    per_word = min(bits, 32) // size
    parts = [s.word(item, size) for item in source.items]
    words: list[Operand] = []
    for start in range(0, len(parts), per_word):
        group = parts[start : start + per_word]
        if size == 8 and per_word == 4:
            low = s.b.op(Op.PRMT, group[0], group[1], lit(0x0040))
            high = s.b.op(Op.PRMT, group[2], group[3], lit(0x0040))
            words.append(s.b.op(Op.PRMT, low, high, lit(0x5410)))
        else:
            selector = 0x5410 if size == 16 else 0x0040
            words.append(s.b.op(Op.PRMT, group[0], group[1], lit(selector)))
    return Wide(words[0], words[1]) if bits == 64 else words[0]


def unpack(s: Selector, i: Instruction, dest: Vector, bits: int) -> None:
    """One value's elements, lowest first."""
    size = bits // len(dest.items)
    source = i.operands[1]
    if size not in (8, 16, 32) or bits > 64:
        raise s.refuse(f"unpacking {bits} bits into {len(dest.items)} elements", "unpack into 2 or 4 elements")
    words = s.words(s.wide(source)) if bits == 64 else (s.word(source, bits),)
    per_word = 32 // size
    values = [
        s.b.op(Op.SHR, words[index // per_word], lit(size * (index % per_word)))
        for index in range(len(dest.items))
    ]
    s.assign(list(zip(dest.items, values, strict=True)))


def cvt(s: Selector, i: Instruction) -> None:
    """Conversion between integer types: cut to the target's width, or extended by the source's sign."""
    kinds = [mod for mod in i.mods if mod in TYPE_BITS]
    if len(kinds) != 2:
        raise s.refuse("this conversion is not supported", "convert one integer to one integer")
    to, source_kind = kinds
    to_bits, to_signed = TYPE_BITS[to], to[0] == "s"
    bits, signed = TYPE_BITS[source_kind], source_kind[0] == "s"
    dest, source = i.operands
    value: Value
    if bits == 64:
        value = s.wide(source)
        if "sat" in i.mods:
            value = _clamp64(s, value, to_bits, to_signed, signed)
    else:
        word = s.extended(source, bits, signed)
        if "sat" in i.mods:
            word = _clamp(s, word, to_bits, to_signed, signed)
            if to_bits == 64:
                signed = signed and to_signed
        value = s.from_extended(word, signed) if to_bits == 64 else word
    if isinstance(value, Wide) and to_bits < 64:
        value = s.words(value)[0]
    if isinstance(dest, Register):
        value = _fill(s, value, to_bits, to_signed, dest.bits)
    s.set(dest, value)


def _fill(s: Selector, value: Value, bits: int, signed: bool, register_bits: int) -> Value:
    """A result for a register that may be wider than its type: extended by the type."""
    if bits >= register_bits:
        return value
    assert not isinstance(value, Wide)
    word = s.extend(value, bits, signed)
    return s.from_extended(word, signed) if register_bits == 64 else word


def _clamp(s: Selector, a: Operand, bits: int, to_signed: bool, signed: bool) -> Operand:
    """A word, read as ``signed`` says, clamped to the target type (64-bit targets: only below 0)."""
    op = s.b.op
    top = (1 << (min(bits, 33) - to_signed)) - 1
    if signed:
        if not to_signed:
            a = op(Op.MAX, a, ZERO)
        elif bits < 32:
            a = op(Op.MAX, a, lit(-1 << (bits - 1)))
        return op(Op.MIN, a, lit(top)) if top < MAX else a
    return op(Op.MINU, a, lit(top)) if top < MASK else a


def _clamp64(s: Selector, a: Wide, bits: int, to_signed: bool, signed: bool) -> Value:
    """A double word clamped to the target type."""
    op = s.b.op
    low, high = s.words(a)
    negative = op(Op.LT, high, ZERO)
    if bits == 64:
        if signed == to_signed:
            return a
        if signed:
            return Wide(*wide.choose(s, (ZERO, ZERO), (low, high), negative))
        return Wide(*wide.choose(s, (ONES, lit(MAX)), (low, high), negative))
    if not signed:
        low = op(Op.SEL, low, ONES, op(Op.EQ, high, ZERO))
        return _clamp(s, low, bits, to_signed, False)
    if to_signed:
        limit = op(Op.XOR, op(Op.SAR, high, lit(31)), lit(SIGN - 1))
        low = op(Op.SEL, low, limit, op(Op.EQ, high, op(Op.SAR, low, lit(31))))
        return _clamp(s, low, bits, True, True)
    low = op(Op.SEL, low, ONES, op(Op.EQ, high, ZERO))
    return _clamp(s, op(Op.SEL, ZERO, low, negative), bits, False, False)


def cvta(s: Selector, i: Instruction) -> None:
    """Between generic addresses and those of one space; global addresses are the same in both."""
    to = i.mods[0] == "to"
    space = i.mods[1] if to else i.mods[0]
    space = "global" if space.split("::")[0] in ("const", "param") else space.split("::")[0]
    dest, source = i.operands
    address = s.to_address(s.wide(source), space)
    if to and address.space not in ("", space):
        raise s.refuse(f"the address is in {address.space} memory", f"convert addresses of {space} memory only")
    generic = not to and space != "global"
    s.set(dest, s.from_address(replace(address, space=space, generic=generic)))


def isspacep(s: Selector, i: Instruction) -> None:
    address = s.wide(i.operands[1]).address
    if address is None or not address.space:
        raise s.refuse("the space of this address is not known", "test an address made by cvta")
    s.result(ONE if address.space == i.mods[0].split("::")[0] else ZERO, 1)


HANDLERS = {"mov": mov, "cvt": cvt, "cvta": cvta, "isspacep": isspacep}
