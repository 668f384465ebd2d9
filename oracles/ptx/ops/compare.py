"""Comparison and selection (PTX ISA, "Comparison and Selection Instructions")."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from oracles.ptx.builder import Builder
from oracles.ptx.ops.text import ordered
from oracles.ptx.reader.syntax import Instr, Pair
from oracles.ptx.step import Step
from oracles.ptx.types import FLOATS, PRED, S32, U32, Type
from oracles.ptx.warp import Warp

_SYMBOLS = {"eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">="}
_UNSIGNED = {"lo": "<", "ls": "<=", "hi": ">", "hs": ">="}
_FLOAT_ONLY = ("equ", "neu", "ltu", "leu", "gtu", "geu", "num", "nan")
_COMBINE = {"and": "&", "or": "|", "xor": "^"}
_TYPES = "b16 b32 b64 u16 u32 u64 s16 s32 s64"


def _comparison(b: Builder, instr: Instr, t: Type) -> str:
    """The comparison of a and b as an expression."""
    name = instr.mods[0] if instr.mods else ""
    if name in _FLOAT_ONLY:
        b.no_float(instr)
    if name in _UNSIGNED:
        if t.kind == "s":
            b.bad(instr, f".{name} compares unsigned types only; write .{name} with .u{t.bits}")
        return f"a {_UNSIGNED[name]} b"
    if name not in _SYMBOLS:
        b.bad(instr, f"{instr.op} has no comparison .{name}")
    if t.kind == "b" and name not in ("eq", "ne"):
        b.bad(instr, f"untyped bits compare with .eq and .ne only; write .s{t.bits} or .u{t.bits}")
    if name in ("eq", "ne"):
        return f"a {_SYMBOLS[name]} b"
    return f"{ordered('a', t)} {_SYMBOLS[name]} {ordered('b', t)}"


def _combined(b: Builder, instr: Instr, types: int) -> str | None:
    """The operator that combines the comparison with a predicate; ``types`` trailing modifiers are types."""
    middle = instr.mods[1 : len(instr.mods) - types]
    if "ftz" in middle or any(m in FLOATS for m in instr.mods):
        b.no_float(instr)
    if not middle:
        return None
    if len(middle) > 1 or middle[0] not in _COMBINE:
        b.bad(instr, f"{instr.op} combines with .and, .or and .xor only")
    return _COMBINE[middle[0]]


def _setp(b: Builder, instr: Instr) -> Step:
    operator = _combined(b, instr, 1)
    operands = b.operands(instr, 4 if operator else 3)
    t = b.type_of(instr, -1, _TYPES)
    compare = _comparison(b, instr, t)
    slots = [b.source(instr, o, t) for o in operands[1:3]]
    yes, no = f"1 if {compare} else 0", f"0 if {compare} else 1"
    if operator:
        slot, negated = b.condition(instr, operands[3])
        slots.append(slot)
        other = "(c ^ 1)" if negated else "c"
        yes, no = f"({yes}) {operator} {other}", f"({no}) {operator} {other}"
    expressions = (yes, no) if isinstance(operands[0], Pair) else (yes,)
    return b.assign(instr, expressions, (operands[0], PRED), tuple(slots))


def _set(b: Builder, instr: Instr) -> Step:
    """As setp, but all ones or zero in a 32-bit register."""
    operator = _combined(b, instr, 2)
    operands = b.operands(instr, 4 if operator else 3)
    out, t = b.type_of(instr, -2, "u32 s32"), b.type_of(instr, -1, _TYPES)
    compare = _comparison(b, instr, t)
    slots = [b.source(instr, o, t) for o in operands[1:3]]
    if operator:
        slot, negated = b.condition(instr, operands[3])
        slots.append(slot)
        compare = f"(1 if {compare} else 0) {operator} {'(c ^ 1)' if negated else 'c'}"
    return b.assign(instr, f"{U32.mask} if {compare} else 0", (operands[0], out), tuple(slots))


def _selp(b: Builder, instr: Instr) -> Step:
    b.modifiers(instr)
    d, x, y, p = b.operands(instr, 4)
    t = b.type_of(instr, -1, _TYPES)
    chosen, other = b.source(instr, x, t), b.source(instr, y, t)
    slot, negated = b.condition(instr, p)
    expression = "b if c else a" if negated else "a if c else b"
    step = b.assign(instr, expression, (d, t), (chosen, other, slot))
    if negated:
        chosen, other = other, chosen

    def taints(w: Warp, m: int) -> int:
        """The source that is not chosen does not matter."""
        column, undefined = w.R[slot], w.T
        from_either = undefined[chosen] | undefined[other]
        out = undefined[slot]
        for lane in range(m.bit_length()):
            bit = 1 << lane
            if from_either & bit:
                out |= undefined[chosen if column[lane] else other] & bit
        return out & m

    return replace(step, taints=taints)


def _slct(b: Builder, instr: Instr) -> Step:
    b.modifiers(instr)
    d, x, y, z = b.operands(instr, 4)
    b.type_of(instr, -1, "s32")
    t = b.type_of(instr, -2, _TYPES)
    return b.compute(instr, f"a if c < {S32.sign} else b", (d, t), ((x, t), (y, t), (z, S32)))


OPS: Mapping[str, Callable[[Builder, Instr], Step]] = {
    "setp": _setp,
    "set": _set,
    "selp": _selp,
    "slct": _slct,
}
"""Opcode -> decoder."""
