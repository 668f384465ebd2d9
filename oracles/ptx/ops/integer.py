"""Integer arithmetic (PTX ISA, "Integer Arithmetic Instructions")."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from oracles.ptx.builder import Builder
from oracles.ptx.errors import Unsupported
from oracles.ptx.loops import lane_loop
from oracles.ptx.ops.divide import divide, remainder
from oracles.ptx.ops.text import clamped, ordered, reading
from oracles.ptx.origins import Origin
from oracles.ptx.reader.syntax import Instr
from oracles.ptx.step import Step
from oracles.ptx.types import S32, TYPES, U32, Type
from oracles.ptx.warp import Warp

WIDE = "u16 u32 u64 s16 s32 s64"


def _add_sub(b: Builder, instr: Instr) -> Step:
    if instr.mods and instr.mods[-1] in ("u16x2", "s16x2"):
        return _halves(b, instr)
    if "cc" in instr.mods:
        return _carry(b, instr)
    b.modifiers(instr, "sat")
    d, x, y = b.operands(instr, 3)
    operator = "+" if instr.op == "add" else "-"
    if "sat" in instr.mods:
        t = b.type_of(instr, -1, "s32")
        expression = clamped(f"{reading('a', t)} {operator} {reading('b', t)}", t)
    else:
        t = b.type_of(instr, -1, WIDE)
        expression = f"(a {operator} b) & {t.mask}"
    return b.compute(instr, expression, (d, t), ((x, t), (y, t)))


def _halves(b: Builder, instr: Instr) -> Step:
    """add, min and max on two 16-bit halves."""
    relu = "relu" in instr.mods
    if [m for m in instr.mods[:-1] if m != "relu"] or (
        relu and (instr.op == "add" or instr.mods[-1] != "s16x2")
    ):
        raise Unsupported(b.no(instr, "these modifiers are not supported together", "use two instructions"))
    half = TYPES[instr.mods[-1][:3]]
    d, x, y = b.operands(instr, 3)
    low = {name: f"({name} & 65535)" for name in "ab"}
    high = {name: f"({name} >> 16)" for name in "ab"}

    def part(v: dict[str, str]) -> str:
        if instr.op == "add":
            return f"(({v['a']} + {v['b']}) & 65535)"
        sign = "<" if instr.op == "min" else ">"
        first, second = ordered(v["a"], half), ordered(v["b"], half)
        value = f"({v['a']} if {first} {sign} {second} else {v['b']})"
        return f"(0 if (r_ := {value}) > 32767 else r_)" if relu else value

    return b.compute(instr, f"{part(low)} | {part(high)} << 16", (d, U32), ((x, U32), (y, U32)))


def _carry(b: Builder, instr: Instr) -> Step:
    """add.cc, addc, sub.cc, subc: CC.CF is the carry, for subtraction the borrow."""
    b.modifiers(instr, "cc")
    d, x, y = b.operands(instr, 3)
    t = b.type_of(instr, -1, "u32 s32 u64 s64")
    slots = [b.source(instr, x, t), b.source(instr, y, t)]
    operator = "+" if instr.op.startswith("add") else "-"
    value = f"a {operator} b"
    if instr.op.endswith("c"):
        slots.append(b.carry)
        value += f" {operator} c"
    return _with_carry(b, instr, value, b.destination(instr, d, t), tuple(slots), t)


def _with_carry(
    b: Builder, instr: Instr, value: str, place: tuple[int, str | None], slots: tuple[int, ...], t: Type
) -> Step:
    """``value`` cut to the type; with .cc the bit above it (the sign of a difference) is the carry flag."""
    if "cc" not in instr.mods:
        return b.step(lane_loop((f"({value}) & {t.mask}",), [place[0]], slots), slots, [place])
    expressions = (f"(t_ := {value}) & {t.mask}", f"t_ >> {t.bits} & 1")
    places = [place, (b.carry, None)]
    return b.step(lane_loop(expressions, [p[0] for p in places], slots), slots, places)


def _product(part: str, t: Type) -> str:
    product = f"({reading('a', t)} * {reading('b', t)})"
    if part == "wide":
        return product
    return f"({product} >> {t.bits})" if part == "hi" else product


def _part(b: Builder, instr: Instr) -> str:
    parts = [m for m in instr.mods if m in ("lo", "hi", "wide")]
    if len(parts) != 1:
        b.bad(instr, f"{instr.op} needs one of .lo, .hi and .wide")
    return parts[0]


def _mul(b: Builder, instr: Instr) -> Step:
    b.modifiers(instr, "lo", "hi", "wide")
    d, x, y = b.operands(instr, 3)
    part = _part(b, instr)
    t = b.type_of(instr, -1, "u16 u32 s16 s32" if part == "wide" else WIDE)
    out = Type(t.kind, 2 * t.bits) if part == "wide" else t
    if part == "lo":
        expression = f"(a * b) & {t.mask}"
    else:
        expression = _product(part, t)
        if t.signed:
            expression = f"{expression} & {out.mask}"
    return b.compute(instr, expression, (d, out), ((x, t), (y, t)))


def _mad(b: Builder, instr: Instr) -> Step:
    """mad and madc; .sat clamps the sum of the high half and c as signed numbers."""
    b.modifiers(instr, "lo", "hi", "wide", "sat", "cc")
    d, x, y, z = b.operands(instr, 4)
    part = _part(b, instr)
    carry = instr.op == "madc" or "cc" in instr.mods
    if "sat" in instr.mods and (part != "hi" or instr.mods[-1] != "s32" or carry):
        b.bad(instr, "mad takes .sat only as mad.hi.sat.s32")
    allowed = "u32 s32 u64 s64" if carry else "u16 u32 s16 s32" if part == "wide" else WIDE
    t = b.type_of(instr, -1, allowed)
    if part == "wide" and carry:
        b.bad(instr, "mad.wide has no carry")
    out = Type(t.kind, 2 * t.bits) if part == "wide" else t
    product = "(a * b)" if part == "lo" else _product(part, t)
    if carry:
        slots = [b.source(instr, o, t) for o in (x, y, z)]
        value = f"({product} & {t.mask}) + c"
        if instr.op == "madc":
            slots.append(b.carry)
            value += " + d"
        return _with_carry(b, instr, value, b.destination(instr, d, t), tuple(slots), t)
    if "sat" in instr.mods:
        expression = clamped(f"{product} + {reading('c', t)}", t)
    else:
        expression = f"({product} + c) & {out.mask}"
    return b.compute(instr, expression, (d, out), ((x, t), (y, t), (z, out)))


def _mul24(b: Builder, instr: Instr) -> Step:
    """mul24, mad24: the product of 24-bit operands, its bits 0..31 or 16..47."""
    b.modifiers(instr, "lo", "hi", "sat")
    mad = instr.op == "mad24"
    operands = b.operands(instr, 4 if mad else 3)
    part = _part(b, instr)
    t = b.type_of(instr, -1, "u32 s32")
    sat = "sat" in instr.mods
    if sat and not (mad and part == "hi" and t.signed):
        b.bad(instr, "only mad24.hi.sat.s32 takes .sat")

    def low24(name: str) -> str:
        cut = f"({name} & 16777215)"
        return f"(({cut} ^ 8388608) - 8388608)" if t.signed else cut

    value = f"({low24('a')} * {low24('b')})"
    if part == "hi":
        value = f"({value} >> 16)"
    if sat:
        # The 32 bits of the product are a signed number before c is added.
        expression = clamped(f"((({value} & {t.mask}) ^ {t.sign}) - {t.sign}) + {reading('c', t)}", t)
    else:
        expression = f"({value} + c) & {t.mask}" if mad else f"{value} & {t.mask}"
    return b.compute(instr, expression, (operands[0], t), tuple((o, t) for o in operands[1:]))


def _sad(b: Builder, instr: Instr) -> Step:
    b.modifiers(instr)
    d, x, y, z = b.operands(instr, 4)
    t = b.type_of(instr, -1, WIDE)
    expression = f"(c + abs({reading('a', t)} - {reading('b', t)})) & {t.mask}"
    return b.compute(instr, expression, (d, t), ((x, t), (y, t), (z, t)))


def _divide(b: Builder, instr: Instr) -> Step:
    b.modifiers(instr)
    d, x, y = b.operands(instr, 3)
    t = b.type_of(instr, -1, WIDE)
    if t.signed:
        helper = divide if instr.op == "div" else remainder
        expression = f"fn({reading('a', t)}, {reading('b', t)}) & {t.mask}"
    else:
        helper = None
        expression = f"a // b if b else {t.mask}" if instr.op == "div" else "a % b if b else a"
    step = b.compute(instr, expression, (d, t), ((x, t), (y, t)), helper)
    divisor = b.source(instr, y, t)

    dividend = b.source(instr, x, t)
    zero = f"division by zero leaves the value open, here {'all ones' if instr.op == 'div' else 'the dividend'}"
    # PTX says no more than d = a / b, and this quotient has no representation.
    overflow = (
        f"the quotient of -2**{t.bits - 1} and -1 does not fit .{t.name}, which leaves the value open, "
        f"here {'the dividend' if instr.op == 'div' else 'zero'}"
    )

    def before(w: Warp, lanes: Sequence[int], m: int) -> dict[int, Origin]:
        column = w.R[divisor]
        found = w.checker.open_values(w, [lane for lane in lanes if not column[lane]], zero, instr)
        if t.signed:
            above = w.R[dividend]
            lanes = [lane for lane in lanes if column[lane] == t.mask and above[lane] == t.sign]
            found |= w.checker.open_values(w, lanes, overflow, instr)
        return found

    return replace(step, before=before)


def _minmax(b: Builder, instr: Instr) -> Step:
    if instr.mods and instr.mods[-1] in ("u16x2", "s16x2"):
        return _halves(b, instr)
    b.modifiers(instr, "relu")
    d, x, y = b.operands(instr, 3)
    relu = "relu" in instr.mods
    t = b.type_of(instr, -1, "s32" if relu else WIDE)
    sign = "<" if instr.op == "min" else ">"
    expression = f"a if {ordered('a', t)} {sign} {ordered('b', t)} else b"
    if relu:
        expression = f"0 if (r_ := ({expression})) >= {t.sign} else r_"
    return b.compute(instr, expression, (d, t), ((x, t), (y, t)))


def _abs_neg(b: Builder, instr: Instr) -> Step:
    b.modifiers(instr)
    d, x = b.operands(instr, 2)
    t = b.type_of(instr, -1, "s16 s32 s64")
    expression = f"-a & {t.mask}" if instr.op == "neg" else f"a if a < {t.sign} else -a & {t.mask}"
    return b.compute(instr, expression, (d, t), ((x, t),))


def _bytes(value: str, t: Type) -> list[str]:
    parts = [f"({value} >> {8 * i} & 255)" for i in range(4)]
    return [f"(({p} ^ 128) - 128)" for p in parts] if t.signed else parts


def _dot(b: Builder, instr: Instr) -> Step:
    """dp4a: four products of bytes; dp2a: two products of a half and a byte."""
    d, x, y, z = b.operands(instr, 4)
    b.modifiers(instr, "lo", "hi")
    ta, tb = b.type_of(instr, -2, "u32 s32"), b.type_of(instr, -1, "u32 s32")
    out = S32 if ta.signed or tb.signed else U32
    second = _bytes("b", tb)
    if instr.op == "dp4a":
        first = _bytes("a", ta)
    else:
        first = ["(a & 65535)", "(a >> 16)"]
        if ta.signed:
            first = [f"(({p} ^ 32768) - 32768)" for p in first]
        if instr.mods[0] not in ("lo", "hi"):
            b.bad(instr, "dp2a needs .lo or .hi")
        second = second[2:] if instr.mods[0] == "hi" else second[:2]
    total = " + ".join(f"{p} * {q}" for p, q in zip(first, second, strict=True))
    return b.compute(instr, f"(c + {total}) & {U32.mask}", (d, out), ((x, ta), (y, tb), (z, out)))


OPS: Mapping[str, Callable[[Builder, Instr], Step]] = {
    "add": _add_sub,
    "sub": _add_sub,
    "addc": _carry,
    "subc": _carry,
    "mul": _mul,
    "mad": _mad,
    "madc": _mad,
    "mul24": _mul24,
    "mad24": _mul24,
    "sad": _sad,
    "div": _divide,
    "rem": _divide,
    "min": _minmax,
    "max": _minmax,
    "abs": _abs_neg,
    "neg": _abs_neg,
    "dp4a": _dot,
    "dp2a": _dot,
}
"""Opcode -> decoder."""
