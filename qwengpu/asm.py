"""Readable text of ROM blocks, both ways.

A block is a few lines, each optional but for the last; ``;`` starts a comment::

    serial
    read R0=r4 R1=r5
    const C0=param0 C1=#1 C2=tid.x
    sync C1
    T0 x0: add R1, C1
    T2 l1: ld.global.word [C0 + R0<<2]
    out r4=T0 r5=T2
    store.global.word [C0 + sext(R0)<<2 + C1] = T0
    next if T0 -> 3 else exit

Bus entries are ``0`` (zero), ``Ri``, ``Ci``, ``Ti``. The tag behind a slot's name is its kind and level and
may be left out. An address is ``a``, then ``b<<scale`` (``sext(b)`` if b is signed), then ``c``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from qwengpu.encode import USED_MODS, bus_size, canonical, illegal_reason
from qwengpu.isa import (
    EXIT,
    Block,
    Const,
    ConstRow,
    LiveOut,
    Mod,
    Next,
    NextKind,
    Op,
    ShflMode,
    Slot,
    Space,
    Store,
    Width,
    bus_const,
    bus_read,
    bus_slot,
)
from qwengpu.spec import CONST_PARAM_BASE, WORD_BITS, Spec

FIXED_ROWS: dict[str, int] = {
    row.name.lower().replace("id_", "id.").replace("_bytes", ".bytes"): int(row) for row in ConstRow
}
"""Names of the fixed constant rows; parameter words are ``param0``, ``param1``, ..."""
_ROW_NAMES = {row: name for name, row in FIXED_ROWS.items()}


class AsmError(ValueError):
    """Text that is no block: the line's number, what is wrong, and what would be right."""


# --------------------------------------------------------------------------------------------------
# Block -> text


def const_name(const: Const) -> str:
    """``param0``, ``tid.x`` or ``#literal`` (small signed numbers in decimal, others in hex)."""
    if const.is_row:
        return _ROW_NAMES.get(const.value, f"param{const.value - CONST_PARAM_BASE}")
    signed = const.value - (1 << WORD_BITS) if const.value >> (WORD_BITS - 1) else const.value
    return f"#{signed}" if -4096 <= signed < 4096 else f"#{const.value:#x}"


def bus_name(index: int, spec: Spec) -> str:
    """``0``, ``R1``, ``C0``, ``T5``."""
    if index >= bus_slot(spec, 0):
        return f"T{index - bus_slot(spec, 0)}"
    if index >= bus_const(spec, 0):
        return f"C{index - bus_const(spec, 0)}"
    return f"R{index - bus_read(spec, 0)}" if index else "0"


def slot_tag(number: int, spec: Spec) -> str:
    """Kind and level of a slot, ``x0``."""
    return f"{spec.slot_kinds[number]}{spec.slot_levels[number]}"


def disassemble(block: Block, spec: Spec) -> str:
    """The text of a legal block, one line a part, without a final newline.

    Raises ValueError if the block is illegal.
    """
    reason = illegal_reason(block, spec)
    if reason is not None:
        raise ValueError(f"illegal block: {reason}")
    return "\n".join(_lines(canonical(block, spec), spec))


def _lines(block: Block, spec: Spec) -> Iterator[str]:
    def bus(index: int) -> str:
        return bus_name(index, spec)

    if block.serial:
        yield "serial"
    if block.reads:
        yield "read " + " ".join(f"R{port}=r{row}" for port, row in enumerate(block.reads) if row)
    if block.consts:
        named = (f"C{i}={const_name(c)}" for i, c in enumerate(block.consts) if c != Const(0))
        yield "const " + " ".join(named)
    if block.sync is not None:
        yield f"sync {bus(block.sync)}"
    for number, slot in enumerate(block.slots):
        if slot is not None:
            yield f"T{number} {slot_tag(number, spec)}: {_slot_text(slot, bus)}"
    if block.outs:
        yield "out " + " ".join(f"r{out.row}={bus(out.source)}" for out in block.outs)
    if block.store is not None:
        store = block.store
        address = _address_text(store.a, store.b, store.c, store.mod, bus)
        yield f"store{_access_text(store.mod)} {address} = {bus(store.data)}"
    yield _next_text(block.next, bus)


def _slot_text(slot: Slot, bus: Callable[[int], str]) -> str:
    op, mod = slot.op, slot.mod
    name = op.name.lower()
    if op is Op.LD:
        return f"{name}{_access_text(mod)} {_address_text(slot.a, slot.b, slot.c, mod, bus)}"
    if op is Op.LEA:
        return f"{name} {_address_text(slot.a, slot.b, slot.c, mod, bus)}"
    if op is Op.FIT and mod.signed:
        name += ".signed"
    elif op is Op.INS:
        name += f".{mod.width.name.lower()}"
    elif op in (Op.SHFL, Op.SHFLP):
        name += f".{mod.shfl.name.lower()}"
    operands = [getattr(slot, operand) for operand in op.operands]
    while len(operands) > 1 and operands[-1] == 0:
        operands.pop()
    return f"{name} {', '.join(map(bus, operands))}"


def _access_text(mod: Mod) -> str:
    align = f".align{1 << mod.align}" if mod.align else ""
    return f".{mod.space.name.lower()}.{mod.width.name.lower()}{align}"


def _address_text(a: int, b: int, c: int, mod: Mod, bus: Callable[[int], str]) -> str:
    text = bus(a)
    if b or mod.scale or mod.signed:
        text += f" + sext({bus(b)})<<{mod.scale}" if mod.signed else f" + {bus(b)}<<{mod.scale}"
    if c:
        text += f" + {bus(c)}"
    return f"[{text}]"


def _target_text(target: int) -> str:
    return "exit" if target == EXIT else str(target)


def _next_text(step: Next, bus: Callable[[int], str]) -> str:
    match step.kind:
        case NextKind.BRANCH:
            taken, other = _target_text(step.taken), _target_text(step.other)
            return f"next if {bus(step.cond)} -> {taken} else {other}"
        case NextKind.BARRIER:
            return f"next barrier -> {_target_text(step.taken)}"
        case NextKind.TRAP:
            return "next trap"
        case _:
            return f"next {_target_text(step.taken)}"


# --------------------------------------------------------------------------------------------------
# Text -> block


@dataclass
class _Parts:
    reads: dict[int, int] = field(default_factory=dict)
    consts: dict[int, Const] = field(default_factory=dict)
    slots: dict[int, Slot] = field(default_factory=dict)
    outs: list[LiveOut] = field(default_factory=list)
    store: Store | None = None
    next: Next | None = None
    sync: int | None = None
    serial: bool = False


def assemble(text: str, spec: Spec) -> Block:
    """The block that the text describes, in its normal form.

    Raises AsmError naming the line and what would be right.
    """
    parts = _Parts()
    for number, line in enumerate(text.splitlines(), 1):
        stripped = line.partition(";")[0].strip()
        if stripped:
            try:
                _parse_line(stripped, parts, spec)
            except AsmError as error:
                raise AsmError(f"line {number}: {error}") from None
    if parts.next is None:
        raise AsmError(
            "the block has no next line; end it with 'next exit', 'next 3' or 'next if T0 -> 3 else exit'"
        )
    block = Block(
        reads=tuple(parts.reads.get(port, 0) for port in range(spec.read_ports)),
        consts=tuple(parts.consts.get(port, Const(0)) for port in range(spec.const_ports)),
        slots=tuple(parts.slots.get(slot) for slot in range(len(spec.slot_kinds))),
        outs=tuple(parts.outs),
        store=parts.store,
        next=parts.next,
        sync=parts.sync,
        serial=parts.serial,
    )
    reason = illegal_reason(block, spec)
    if reason is not None:
        raise AsmError(f"{reason}; see docs/machine.md, section 3, for spec {spec.name}")
    return canonical(block, spec)


def _parse_line(line: str, parts: _Parts, spec: Spec) -> None:
    if re.match(r"T\d+\b", line):
        _parse_slot(line, parts, spec)
        return
    word = re.split(r"[\s.]", line, maxsplit=1)[0]
    rest = line[len(word) :].strip()
    match word:
        case "serial" if not rest:
            parts.serial = True
        case "read":
            _parse_reads(rest, parts, spec)
        case "const":
            _parse_consts(rest, parts, spec)
        case "sync":
            parts.sync = _bus(rest, spec)
        case "out":
            for left, right in _pairs(rest, r"r(\d+)", "r4=T0"):
                parts.outs.append(LiveOut(left, _bus(right, spec)))
        case "store":
            _parse_store(rest, parts, spec)
        case "next":
            parts.next = _parse_next(rest, spec)
        case _:
            raise AsmError(
                f"{line!r} is no part of a block; write read, const, sync, serial, T<slot>, out, store or next"
            )


def _pairs(text: str, left: str, example: str) -> Iterator[tuple[int, str]]:
    items = text.split()
    if not items:
        raise AsmError(f"nothing is named; write {example}")
    for item in items:
        match = re.fullmatch(rf"{left}=(\S+)", item)
        if match is None:
            raise AsmError(f"{item!r} is not of the form {example}")
        yield int(match.group(1)), match.group(2)


def _parse_reads(text: str, parts: _Parts, spec: Spec) -> None:
    for port, name in _pairs(text, r"R(\d+)", "R0=r4"):
        if port >= spec.read_ports:
            raise AsmError(f"R{port}: spec {spec.name} has the ports R0...R{spec.read_ports - 1}")
        if not re.fullmatch(r"r\d+", name):
            raise AsmError(f"{name!r} is no register; write r0...r{spec.registers - 1}")
        parts.reads[port] = int(name[1:])


def _parse_consts(text: str, parts: _Parts, spec: Spec) -> None:
    for port, name in _pairs(text, r"C(\d+)", "C0=#1"):
        if port >= spec.const_ports:
            raise AsmError(f"C{port}: spec {spec.name} has the ports C0...C{spec.const_ports - 1}")
        parts.consts[port] = _const(name)


def _const(name: str) -> Const:
    if name in FIXED_ROWS:
        return Const(FIXED_ROWS[name], is_row=True)
    if re.fullmatch(r"param\d+", name):
        return Const(CONST_PARAM_BASE + int(name[5:]), is_row=True)
    if re.fullmatch(r"#-?(\d+|0x[0-9a-fA-F]+)", name):
        value = int(name[1:], 0)
        if -(1 << (WORD_BITS - 1)) <= value < 1 << WORD_BITS:
            return Const(value & ((1 << WORD_BITS) - 1))
        raise AsmError(f"{name} does not fit 32 bits")
    raise AsmError(f"{name!r} is no constant; write #number, param<i>, or one of {', '.join(FIXED_ROWS)}")


def _bus(name: str, spec: Spec) -> int:
    name = name.strip()
    if name == "0":
        return 0
    match = re.fullmatch(r"([RCT])(\d+)", name)
    if match is not None:
        first, count = {
            "R": (bus_read(spec, 0), spec.read_ports),
            "C": (bus_const(spec, 0), spec.const_ports),
            "T": (bus_slot(spec, 0), bus_size(spec) - bus_slot(spec, 0)),
        }[match.group(1)]
        number = int(match.group(2))
        if number < count:
            return first + number
        raise AsmError(f"{name}: spec {spec.name} has {match.group(1)}0...{match.group(1)}{count - 1}")
    raise AsmError(f"{name!r} is no bus entry; write 0, R<port>, C<port> or T<slot>")


def _parse_slot(line: str, parts: _Parts, spec: Spec) -> None:
    match = re.fullmatch(r"T(\d+)(?:\s+(\w+))?\s*:\s*([\w.]+)\s*(.*)", line)
    if match is None:
        raise AsmError(f"{line!r} is not of the form T0 x0: add R0, R1")
    number = int(match.group(1))
    if number >= len(spec.slot_kinds):
        raise AsmError(f"T{number}: spec {spec.name} has the slots T0...T{len(spec.slot_kinds) - 1}")
    if match.group(2) not in (None, slot_tag(number, spec)):
        raise AsmError(f"T{number} is slot {slot_tag(number, spec)}, not {match.group(2)}")
    parts.slots[number] = _parse_operation(match.group(3), match.group(4), spec)


def _parse_operation(mnemonic: str, operands: str, spec: Spec) -> Slot:
    name, *suffixes = mnemonic.split(".")
    if name.upper() not in Op.__members__:
        raise AsmError(f"{name!r} is no operation; those there are: {', '.join(Op.__members__).lower()}")
    op = Op[name.upper()]
    if op in (Op.LD, Op.LEA):
        a, b, c, mods = _parse_address(operands, spec)
        return Slot(op, a, b, c, _mod({**mods, **(_access(suffixes) if op is Op.LD else _no(suffixes, name))}))
    values = [_bus(operand, spec) for operand in operands.split(",")]
    if len(values) > len(op.operands):
        raise AsmError(f"{name} takes {len(op.operands)} operands, not {len(values)}")
    places = dict(zip(op.operands, values, strict=False))
    return Slot(op, **places, mod=_mod(_suffix_mods(op, name, suffixes)))


_Mods = dict[str, Any]


def _mod(values: _Mods) -> Mod:
    return Mod(**values)


def _no(suffixes: list[str], name: str) -> _Mods:
    if suffixes:
        raise AsmError(f"{name} takes no suffix .{suffixes[0]}")
    return {}


def _suffix_mods(op: Op, name: str, suffixes: list[str]) -> _Mods:
    match USED_MODS.get(op, ()):
        case ("signed",):
            if suffixes == ["signed"]:
                return {"signed": True}
            return _no(suffixes, name)
        case ("width",):
            return {"width": _one(suffixes, Width, name)}
        case ("shfl",):
            return {"shfl": _one(suffixes, ShflMode, name)}
        case _:
            return _no(suffixes, name)


def _one(
    suffixes: list[str], choices: type[Width] | type[ShflMode] | type[Space], name: str
) -> Width | ShflMode | Space:
    if len(suffixes) == 1 and suffixes[0].upper() in choices.__members__:
        return choices[suffixes[0].upper()]
    raise AsmError(f"{name} takes one suffix of {', '.join('.' + c.lower() for c in choices.__members__)}")


def _access(suffixes: list[str]) -> _Mods:
    example = "write for example ld.global.word, store.shared.word_of_8 or ld.global.word.align8"
    if not 2 <= len(suffixes) <= 3:
        raise AsmError(f"an access names space and width; {example}")
    mods: _Mods = {
        "space": _one(suffixes[:1], Space, "an access"),
        "width": _one(suffixes[1:2], Width, "an access"),
    }
    for text in suffixes[2:]:
        match = re.fullmatch(r"align(\d+)", text)
        size = int(match.group(1)) if match else 0
        if size < 2 or size & (size - 1) or size > 128:
            raise AsmError(f".{text} is no alignment of 2...128 bytes; {example}")
        mods["align"] = size.bit_length() - 1
    return mods


_ADDRESS = re.compile(
    r"\[\s*(?P<a>\w+)\s*(?:\+\s*(?:sext\(\s*(?P<sb>\w+)\s*\)|(?P<b>\w+))\s*<<\s*(?P<s>[0-3])\s*)?(?:\+\s*(?P<c>\w+)\s*)?\]"
)


def _parse_address(text: str, spec: Spec) -> tuple[int, int, int, _Mods]:
    match = _ADDRESS.fullmatch(text.strip())
    if match is None:
        raise AsmError(f"{text!r} is no address; write [C0 + R0<<2 + C1], or sext(R0)<<2 for a signed index")
    index = match["sb"] or match["b"] or "0"
    mods: _Mods = {"scale": int(match["s"] or 0), "signed": match["sb"] is not None}
    return _bus(match["a"], spec), _bus(index, spec), _bus(match["c"] or "0", spec), mods


def _parse_store(rest: str, parts: _Parts, spec: Spec) -> None:
    match = re.fullmatch(r"((?:\.\w+)+)\s*(\[.*\])\s*=\s*(\w+)", rest)
    if match is None:
        raise AsmError(f"'store{rest}' is not of the form store.global.word [C0 + R0<<2] = T0")
    a, b, c, mods = _parse_address(match.group(2), spec)
    mods |= _access(match.group(1)[1:].split("."))
    parts.store = Store(a, _bus(match.group(3), spec), b, c, _mod(mods))


def _parse_next(rest: str, spec: Spec) -> Next:
    if rest == "trap":
        return Next(NextKind.TRAP)
    if match := re.fullmatch(r"if\s+(\w+)\s*->\s*(\w+)\s+else\s+(\w+)", rest):
        taken, other = _target(match.group(2)), _target(match.group(3))
        return Next(NextKind.BRANCH, taken, other, _bus(match.group(1), spec))
    if match := re.fullmatch(r"barrier\s*->\s*(\w+)", rest):
        return Next(NextKind.BARRIER, _target(match.group(1)))
    return Next(NextKind.JUMP, _target(rest))


def _target(text: str) -> int:
    if text == "exit":
        return EXIT
    if text.isdecimal():
        return int(text)
    raise AsmError(f"{text!r} is no target; write a block number or exit")
