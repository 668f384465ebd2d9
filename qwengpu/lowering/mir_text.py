"""MIR as readable text."""

from __future__ import annotations

from qwengpu.isa import NO_MOD, Mod, Op, ShflMode, Space, Width
from qwengpu.lowering.mir import (
    Barrier,
    Branch,
    Define,
    Item,
    Jump,
    Lit,
    MBlock,
    MFunction,
    MMove,
    MOp,
    MSerial,
    MStore,
    MSync,
    Operand,
    Row,
    Terminator,
    Trap,
)


def dump(function: MFunction, defines: bool = True) -> str:
    """One line an item; ``defines``: with the PTX definitions that are reported."""
    lines = [f"kernel {function.kernel}"]
    lines += [
        f"  param {p.name} c{p.row}" + (f"..c{p.row + p.words - 1}" if p.words > 1 else "")
        for p in function.params
    ]
    lines += [f"  symbol {s.name} {len(s.data)} bytes c{s.row}" for s in function.symbols]
    if function.shared_bytes:
        lines.append(f"  shared {function.shared_bytes} bytes")
    for block in function.blocks:
        lines += _block(block, defines)
    if defines:
        lines += [
            f"  {instr} {register}: {why}" for (instr, register), why in sorted(function.unmapped.items())
        ]
    return "\n".join(lines) + "\n"


def _block(block: MBlock, defines: bool) -> list[str]:
    lines = [f"b{block.number}:"]
    for item in block.items:
        lines += _item(item, defines, "  ")
    lines.append("  " + _end(block.end))
    return lines


def _item(item: Item, defines: bool, indent: str) -> list[str]:
    match item:
        case MOp(op, dest, a, b, c, mod, _, sync):
            operands = {"a": a, "b": b, "c": c}
            text = ", ".join(operand_text(operands[name]) for name in op.operands)
            target = f"{dest} = " if dest is not None else ""
            tail = f" sync {operand_text(sync)}" if sync is not None else ""
            return [f"{indent}{target}{op.name.lower()}{_mod(op, mod)} {text}{tail}"]
        case MMove(dest, source):
            return [f"{indent}{dest} = {operand_text(source)}"]
        case MSync(mask):
            return [f"{indent}sync {operand_text(mask)}"]
        case MStore():
            part = f" part {item.part}/{item.parts}" if item.parts > 1 else ""
            place = ", ".join(operand_text(o) for o in (item.a, item.b, item.c))
            return [
                f"{indent}st{_mod(Op.LD, item.mod)} {place} <- {operand_text(item.data)} ({item.name}){part}"
            ]
        case MSerial(items):
            inner = [line for part in items for line in _item(part, defines, indent + "  ")]
            return [f"{indent}serial {{", *inner, f"{indent}}}"]
        case Define(instr, register, bits, parts, guard, sense):
            if not defines:
                return []
            when = "" if guard is None else f" if {'' if sense else '!'}{operand_text(guard)}"
            return [f"{indent}; {instr} {register}:{bits} = {', '.join(map(operand_text, parts))}{when}"]


def _mod(op: Op, mod: Mod) -> str:
    if mod == NO_MOD:
        return ".idx" if op in (Op.SHFL, Op.SHFLP) else ""
    parts = []
    if op in (Op.SHFL, Op.SHFLP):
        return "." + ShflMode(mod.shfl).name.lower()
    if mod.space is Space.SHARED:
        parts.append("shared")
    if mod.width is not Width.WORD:
        parts.append(mod.width.name.lower())
    if mod.signed:
        parts.append("s")
    if mod.scale:
        parts.append(f"x{1 << mod.scale}")
    if mod.align:
        parts.append(f"align{1 << mod.align}")
    return "".join("." + part for part in parts)


def operand_text(operand: Operand) -> str:
    """``v3``, ``5`` (a signed literal), ``c16``."""
    match operand:
        case Lit(value):
            return str(value - (1 << 32) if value >> 31 else value)
        case Row(row):
            return f"c{row}"
    return f"v{operand.number}"


def _end(end: Terminator) -> str:
    match end:
        case Jump(target):
            return f"jump {_target(target)}"
        case Branch():
            event = "" if end.instr is None else f" ; {end.instr} {end.name}{'' if end.sense else ' inverted'}"
            index = "" if end.index is None else f" index {operand_text(end.index)}"
            return (
                f"branch {operand_text(end.cond)} ? {_target(end.taken)} : {_target(end.other)}{event}{index}"
            )
        case Barrier(target, instr, number):
            return f"barrier {number} then b{target} ; {instr}"
        case Trap(instr):
            return f"trap ; {instr}"


def _target(target: int | None) -> str:
    return "exit" if target is None else f"b{target}"
