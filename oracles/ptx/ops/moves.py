"""Moves and conversions (PTX ISA, "Data Movement and Conversion Instructions": mov, cvt, cvta, ...)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from oracles.ptx.builder import Builder
from oracles.ptx.errors import Unsupported
from oracles.ptx.loops import lane_loop
from oracles.ptx.memory import LOCAL_WINDOW, M64, SHARED_WINDOW, split_generic
from oracles.ptx.ops.text import clamped, signed
from oracles.ptx.reader.syntax import Instr, Operand, Vec
from oracles.ptx.step import Step
from oracles.ptx.types import B32, FLOATS, PRED, S32, U64, Type
from oracles.ptx.warp import Warp

_PARTS = {16: (2,), 32: (2, 4), 64: (2, 4)}


def _mov(b: Builder, instr: Instr) -> Step:
    b.modifiers(instr)
    d, x = b.operands(instr, 2)
    if isinstance(d, Vec):
        return _unpack(b, instr, d, x)
    if isinstance(x, Vec):
        return _pack(b, instr, d, x)
    t = b.type_of(instr, -1, "pred b16 b32 b64 u16 u32 u64 s16 s32 s64")
    return b.compute(instr, "a", (d, t), ((x, t),))


def _part_type(b: Builder, instr: Instr, vector: Vec, t: Type) -> Type:
    parts = len(vector.items)
    if parts not in _PARTS[t.bits]:
        b.bad(instr, f"a {t.bits}-bit value has no {parts} parts here")
    return Type("b", t.bits // parts)


def _unpack(b: Builder, instr: Instr, d: Vec, x: Operand) -> Step:
    t = b.type_of(instr, -1, "b16 b32 b64")
    part = _part_type(b, instr, d, t)
    slot = b.source(instr, x, t)
    places = [b.destination(instr, item, part) for item in d.items]
    # The source may be one of the destinations: take its value first.
    expressions = [f"a >> {i * part.bits} & {part.mask}" for i in range(len(places))]
    return b.step(lane_loop(tuple(expressions), [p[0] for p in places], (slot,)), (slot,), places)


def _pack(b: Builder, instr: Instr, d: Operand, x: Vec) -> Step:
    t = b.type_of(instr, -1, "b16 b32 b64")
    part = _part_type(b, instr, x, t)
    expression = " | ".join(f"{name} << {i * part.bits}" for i, name in enumerate("abcd"[: len(x.items)]))
    return b.compute(instr, expression, (d, t), tuple((item, part) for item in x.items))


def _cvt(b: Builder, instr: Instr) -> Step:
    if instr.mods[:1] == ("pack",):
        return _cvt_pack(b, instr)
    if any(m in FLOATS for m in instr.mods):
        b.no_float(instr)
    b.modifiers(instr, "sat")
    d, x = b.operands(instr, 2)
    every = "u8 u16 u32 u64 s8 s16 s32 s64 b8 b16 b32 b64"
    out, t = b.type_of(instr, -2, every), b.type_of(instr, -1, every)
    value = "a"
    slot = b.source(instr, x, t, exact=False)
    if b.width(instr, x, t) > t.bits:
        value = f"(a & {t.mask})"
    if t.signed:
        value = signed(value, t.bits)
    if "sat" in instr.mods:
        value = f"({clamped(value, out)})"
    have = b.register_width(instr, d)
    if out.signed and have > out.bits:
        value = f"{signed(f'({value} & {out.mask})', out.bits)} & {(1 << have) - 1}"
    elif t.signed or t.bits > out.bits:
        value = f"{value} & {out.mask}"
    return b.assign(instr, value, (d, out), (slot,), exact=False)


def _cvt_pack(b: Builder, instr: Instr) -> Step:
    """cvt.pack.sat: two saturated values side by side, with narrow ones the low bits of c above them."""
    sizes = {"u16": 16, "s16": 16, "u8": 8, "s8": 8, "u4": 4, "s4": 4, "u2": 2, "s2": 2}
    name = instr.mods[2] if len(instr.mods) > 2 else ""
    if instr.mods[1:2] != ("sat",) or name not in sizes or instr.mods[3:4] != ("s32",):
        b.bad(instr, "cvt.pack is written cvt.pack.sat.TYPE.s32, with .b32 for types below 16 bits")
    part = Type(name[0], sizes[name])
    narrow = part.bits < 16
    operands = b.operands(instr, 4 if narrow else 3)
    expression = f"({clamped('a_', part)}) << {part.bits} | ({clamped('b_', part)})"
    expression = expression.replace("a_", signed("a", 32)).replace("b_", signed("b", 32))
    if narrow:
        expression += f" | c << {2 * part.bits} & {B32.mask}"
    return b.compute(instr, expression, (operands[0], B32), tuple((o, S32) for o in operands[1:]))


_WINDOWS = {"global": 0, "const": 0, "shared": SHARED_WINDOW, "local": LOCAL_WINDOW}


def _space(b: Builder, instr: Instr) -> str:
    names = [m.partition("::")[0] for m in instr.mods if m.partition("::")[0] in (*_WINDOWS, "param")]
    if len(names) != 1:
        b.bad(instr, f"{instr.op} needs a state space")
    if names[0] == "param":
        raise Unsupported(b.no(instr, "generic addresses of parameters are not supported", "load by name"))
    return names[0]


def _cvta(b: Builder, instr: Instr) -> Step:
    b.modifiers(instr, "to", "global", "const", "shared", "shared::cta", "local", "param", "param::entry")
    d, x = b.operands(instr, 2)
    t = b.type_of(instr, -1, "u64")
    window = _WINDOWS[_space(b, instr)]
    sign = "-" if "to" in instr.mods else "+"
    return b.compute(instr, f"(a {sign} {window}) & {M64}" if window else "a", (d, t), ((x, t),))


def _isspacep(b: Builder, instr: Instr) -> Step:
    b.modifiers(instr, "global", "const", "shared", "shared::cta", "local", "param", "param::entry")
    d, x = b.operands(instr, 2)
    space = _space(b, instr)
    slot, place = b.source(instr, x, U64), b.destination(instr, d, PRED)

    def run(w: Warp, lanes: Sequence[int], m: int) -> None:
        target, column = w.R[place[0]], w.R[slot]
        for lane in lanes:
            found, address = split_generic(column[lane])
            if found == "global" and w.grid.is_constant(address):
                found = "const"
            target[lane] = int(found == space)

    return b.step(run, (slot,), [place])


OPS: Mapping[str, Callable[[Builder, Instr], Step]] = {
    "mov": _mov,
    "cvt": _cvt,
    "cvta": _cvta,
    "isspacep": _isspacep,
}
"""Opcode -> decoder."""
