"""A lowered kernel as text for people: blocks with their CUDA lines and what they define."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from qwengpu.asm import disassemble
from qwengpu.program import (
    BarrierEntry,
    BlockMap,
    BranchEntry,
    MapEntry,
    Param,
    Program,
    RegisterEntry,
)


def listing(program: Program, cuda: str | None = None, definitions: bool = True) -> str:
    """Text of ``program``, one paragraph a block. ``cuda``: the source, to quote its lines.

    ``definitions``: with the PTX definitions, stores and branches that each block realises.
    Sizes are `Program.report`.
    """
    source = cuda.splitlines() if cuda is not None else []
    return "\n".join(_lines(program, source, definitions)) + "\n"


def _lines(program: Program, source: Sequence[str], definitions: bool) -> Iterator[str]:
    for param in program.params:
        yield f"  {_param(param)}"
    for symbol in program.symbols:
        yield f"  variable {symbol.name}: {len(symbol.data)} bytes, address in constant row {symbol.row}"
    for number, (block, its) in enumerate(zip(program.blocks, program.maps, strict=True)):
        yield ""
        yield f"block {number}{_place(its)}"
        for line in its.cuda_lines:
            if 0 < line <= len(source):
                yield f"  | {line}: {source[line - 1].strip()}"
        yield from (f"    {line}" for line in disassemble(block, program.spec).splitlines())
        if definitions:
            yield from (f"    ; {text}" for text in map(_entry, its.entries))
    if definitions and program.unmapped:
        yield ""
        yield "definitions without a machine value"
        for (instr, register), reason in sorted(program.unmapped.items()):
            yield f"  instruction {instr} {register}: {reason}"


def _param(param: Param) -> str:
    rows = f"row {param.row}" if param.words == 1 else f"rows {param.row}-{param.row + param.words - 1}"
    return f"param {param.name}: {param.size} bytes, constant {rows}"


def _place(its: BlockMap) -> str:
    parts = []
    if its.cuda_lines:
        parts.append("CUDA " + _ranges(its.cuda_lines))
    if its.ptx_lines:
        parts.append("PTX " + _ranges(its.ptx_lines))
    return f"  ({', '.join(parts)})" if parts else ""


def _ranges(numbers: Sequence[int]) -> str:
    """``1-3, 7`` for 1, 2, 3, 7."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][1] + 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    return ", ".join(f"{low}-{high}" if high > low else str(low) for low, high in runs)


def _entry(entry: MapEntry) -> str:
    if isinstance(entry, RegisterEntry):
        guard = "" if entry.guard is None else " where guarded"
        return f"{entry.instr} defines {entry.register}{guard}"
    if isinstance(entry, BranchEntry):
        return f"{entry.instr} {entry.name}"
    if isinstance(entry, BarrierEntry):
        return f"{entry.instr} barrier {entry.number}"
    return f"{entry.instr} store {entry.name}" + (f" part {entry.part}" if entry.parts > 1 else "")
