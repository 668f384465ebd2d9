"""Logic, shifts and bit fields (PTX ISA, "Logic and Shift Instructions", bfe, bfi, bfind, ...)."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from oracles.ptx.builder import Builder
from oracles.ptx.ops import fields
from oracles.ptx.ops.text import signed
from oracles.ptx.reader.syntax import Imm, Instr
from oracles.ptx.step import Step
from oracles.ptx.types import B32, S32, U32

_LOGIC = {"and": "a & b", "or": "a | b", "xor": "a ^ b"}


def _logic(b: Builder, instr: Instr) -> Step:
    b.modifiers(instr)
    d, x, y = b.operands(instr, 3)
    t = b.type_of(instr, -1, "pred b16 b32 b64")
    return b.compute(instr, _LOGIC[instr.op], (d, t), ((x, t), (y, t)))


def _not(b: Builder, instr: Instr) -> Step:
    b.modifiers(instr)
    d, x = b.operands(instr, 2)
    if instr.op == "cnot":
        t = b.type_of(instr, -1, "b16 b32 b64")
        return b.compute(instr, "0 if a else 1", (d, t), ((x, t),))
    t = b.type_of(instr, -1, "pred b16 b32 b64")
    return b.compute(instr, f"a ^ {t.mask}", (d, t), ((x, t),))


def _lop3(b: Builder, instr: Instr) -> Step:
    """Any function of three bits; with .and or .or also a predicate, "the result is not zero"."""
    combine = instr.mods[0] if instr.mods[:1] in (("and",), ("or",)) else ""
    b.modifiers(instr, "and", "or")
    b.type_of(instr, -1, "b32")
    operands = b.operands(instr, 6 if combine else 5)
    d, x, y, z, table = operands[:5]
    if not isinstance(table, Imm) or not 0 <= table.value <= 255:
        b.bad(instr, "the table of lop3 must be a constant from 0 to 255")
    expression = f"({fields.lop3_expression(table.value)}) & {B32.mask}"
    if not combine:
        return b.compute(instr, expression, (d, B32), tuple((o, B32) for o in (x, y, z)))
    slot, negated = b.condition(instr, operands[5])
    slots = (*(b.source(instr, o, B32) for o in (x, y, z)), slot)
    condition = "(d ^ 1)" if negated else "d"
    predicate = f"(1 if r_ else 0) {'&' if combine == 'and' else '|'} {condition}"
    return b.assign(instr, (f"(r_ := {expression})", predicate), (d, B32), slots)


def _shift(b: Builder, instr: Instr) -> Step:
    """shl, shr: amounts above the width are clamped to it."""
    b.modifiers(instr)
    d, x, y = b.operands(instr, 3)
    if instr.op == "shl":
        t = b.type_of(instr, -1, "b16 b32 b64")
        expression = f"(a << b) & {t.mask} if b < {t.bits} else 0"
    else:
        t = b.type_of(instr, -1, "b16 b32 b64 u16 u32 u64 s16 s32 s64")
        expression = f"({signed('a', t.bits)} >> b) & {t.mask}" if t.signed else "a >> b"
    return b.compute(instr, expression, (d, t), ((x, t), (y, U32)))


def _funnel(b: Builder, instr: Instr) -> Step:
    """shf: 64 bits from two registers, a the low and b the high half, shifted; .l gives the high half."""
    b.modifiers(instr, "l", "r", "wrap", "clamp")
    if instr.mods[:1] not in (("l",), ("r",)) or instr.mods[1:2] not in (("wrap",), ("clamp",)):
        b.bad(instr, "shf needs .l or .r, then .wrap or .clamp")
    b.type_of(instr, -1, "b32")
    d, x, y, z = b.operands(instr, 4)
    amount = "(c & 31)" if instr.mods[1] == "wrap" else "(c if c < 32 else 32)"
    if instr.mods[0] == "l":
        expression = f"((b << 32 | a) << {amount}) >> 32 & {B32.mask}"
    else:
        expression = f"((b << 32 | a) >> {amount}) & {B32.mask}"
    return b.compute(instr, expression, (d, B32), ((x, B32), (y, B32), (z, U32)))


def _bfe(b: Builder, instr: Instr) -> Step:
    b.modifiers(instr)
    d, x, y, z = b.operands(instr, 4)
    t = b.type_of(instr, -1, "u32 u64 s32 s64")
    helper = fields.extract_signed if t.signed else fields.extract
    expression = f"fn(a, b & 255, c & 255, {t.bits})"
    return b.compute(instr, expression, (d, t), ((x, t), (y, U32), (z, U32)), helper)


def _bfi(b: Builder, instr: Instr) -> Step:
    b.modifiers(instr)
    d, x, y, z, n = b.operands(instr, 5)
    t = b.type_of(instr, -1, "b32 b64")
    expression = f"fn(a, b, c & 255, d & 255, {t.bits})"
    return b.compute(instr, expression, (d, t), ((x, t), (y, t), (z, U32), (n, U32)), fields.insert)


def _bfind(b: Builder, instr: Instr) -> Step:
    b.modifiers(instr, "shiftamt")
    d, x = b.operands(instr, 2)
    t = b.type_of(instr, -1, "u32 u64 s32 s64")
    value = f"(a ^ {t.mask} if a >= {t.sign} else a)" if t.signed else "a"
    found = f"{t.bits} - v_.bit_length()" if "shiftamt" in instr.mods else "v_.bit_length() - 1"
    return b.compute(instr, f"{found} if (v_ := {value}) else {U32.mask}", (d, U32), ((x, t),))


def _count(b: Builder, instr: Instr) -> Step:
    """popc, clz, brev."""
    b.modifiers(instr)
    d, x = b.operands(instr, 2)
    t = b.type_of(instr, -1, "b32 b64")
    if instr.op == "brev":
        return b.compute(instr, f"int(f'{{a:0{t.bits}b}}'[::-1], 2)", (d, t), ((x, t),))
    expression = "a.bit_count()" if instr.op == "popc" else f"{t.bits} - a.bit_length()"
    return b.compute(instr, expression, (d, U32), ((x, t),))


def _prmt(b: Builder, instr: Instr) -> Step:
    mode = instr.mods[1] if len(instr.mods) > 1 else ""
    if instr.mods[:1] != ("b32",):
        b.bad(instr, "prmt takes .b32, then at most a mode")
    if mode and mode not in fields.PERMUTE_MODES:
        b.bad(instr, f"prmt has the modes .{', .'.join(fields.PERMUTE_MODES)}")
    d, x, y, z = b.operands(instr, 4)
    helper = fields.PERMUTE_MODES[mode] if mode else fields.permute
    return b.compute(instr, "fn(a, b, c)", (d, B32), ((x, B32), (y, B32), (z, B32)), helper)


def _szext(b: Builder, instr: Instr) -> Step:
    wrap = _wrap_or_clamp(b, instr)
    d, x, y = b.operands(instr, 3)
    t = b.type_of(instr, -1, "u32 s32")
    helper = fields.sign_extend if t.signed else fields.zero_extend
    amount = "b & 31" if wrap else "b if b < 32 else 32"
    return b.compute(instr, f"fn(a, {amount})", (d, t), ((x, t), (y, U32)), helper)


def _bmsk(b: Builder, instr: Instr) -> Step:
    wrap = _wrap_or_clamp(b, instr)
    d, x, y = b.operands(instr, 3)
    b.type_of(instr, -1, "b32")
    expression = "fn(a & 31, b & 31)" if wrap else "fn(a if a < 32 else 32, b if b < 32 else 32)"
    return b.compute(instr, expression, (d, B32), ((x, U32), (y, U32)), fields.mask)


def _wrap_or_clamp(b: Builder, instr: Instr) -> bool:
    b.modifiers(instr, "wrap", "clamp")
    if instr.mods[:1] not in (("wrap",), ("clamp",)):
        b.bad(instr, f"{instr.op} needs .wrap or .clamp")
    return instr.mods[0] == "wrap"


def _fns(b: Builder, instr: Instr) -> Step:
    b.modifiers(instr)
    d, x, y, z = b.operands(instr, 4)
    b.type_of(instr, -1, "b32")
    expression = f"fn(a, b, {signed('c', 32)})"
    return b.compute(instr, expression, (d, U32), ((x, B32), (y, B32), (z, S32)), fields.find_nth_set)


OPS: Mapping[str, Callable[[Builder, Instr], Step]] = {
    "and": _logic,
    "or": _logic,
    "xor": _logic,
    "not": _not,
    "cnot": _not,
    "lop3": _lop3,
    "shl": _shift,
    "shr": _shift,
    "shf": _funnel,
    "bfe": _bfe,
    "bfi": _bfi,
    "bfind": _bfind,
    "popc": _count,
    "clz": _count,
    "brev": _count,
    "prmt": _prmt,
    "szext": _szext,
    "bmsk": _bmsk,
    "fns": _fns,
}
"""Opcode -> decoder."""
