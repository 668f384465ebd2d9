"""Parameter space: a kernel's arguments, and the .param variables of functions and calls."""

from __future__ import annotations

from collections.abc import Sequence

from oracles.ptx.builder import Builder
from oracles.ptx.errors import Unsupported
from oracles.ptx.reader.syntax import Addr, Instr, Operand, Variable
from oracles.ptx.step import Step
from oracles.ptx.types import Type
from oracles.ptx.warp import Warp


def _variable(b: Builder, instr: Instr, operand: Operand, size: int) -> tuple[Variable, int]:
    if not isinstance(operand, Addr):
        b.bad(instr, "an address in brackets is needed")
    if not isinstance(operand.base, Variable):
        raise Unsupported(b.no(instr, "parameters are addressed by name only", "write [name+offset]"))
    variable, offset = operand.base, operand.offset
    if variable.space not in ("param", "kernel"):
        b.bad(instr, f"variable {variable.name} is in .{variable.space}, not in .param")
    if offset < 0 or offset + size > variable.size:
        b.bad(
            instr, f"bytes {offset} to {offset + size - 1} are outside {variable.name} ({variable.size} bytes)"
        )
    if offset % size:
        b.bad(instr, f"offset {offset} is no multiple of {size}")
    return variable, offset


def load_param(
    b: Builder,
    instr: Instr,
    operand: Operand,
    t: Type,
    places: list[tuple[int, str | None]],
    widths: list[int],
) -> Step:
    """ld.param of one or more elements."""
    variable, offset = _variable(b, instr, operand, t.size * len(places))
    slots = [slot for slot, _ in places]
    size = t.size
    masks = [(1 << width) - 1 for width in widths]
    if variable.space == "kernel":
        first = b.address_of(instr, variable, offset)

        def run(w: Warp, lanes: Sequence[int], m: int) -> None:
            for element, slot in enumerate(slots):
                at = first + element * size
                raw = w.grid.params[at : at + size]
                value = int.from_bytes(raw, "little", signed=t.signed) & masks[element]
                column = w.R[slot]
                for lane in lanes:
                    column[lane] = value

        return b.step(run, (), places)
    cell = b.cell(variable)

    def run_cell(w: Warp, lanes: Sequence[int], m: int) -> None:
        for lane in lanes:
            raw = w.cells[cell][lane]
            for element, slot in enumerate(slots):
                at = offset + element * size
                value = int.from_bytes(raw[at : at + size], "little", signed=t.signed)
                w.R[slot][lane] = value & masks[element]

    return b.step(run_cell, (shadow(b, variable),), places)


def store_param(b: Builder, instr: Instr, operand: Operand, t: Type, slots: tuple[int, ...]) -> Step:
    """st.param into a call's argument or a function's result."""
    variable, offset = _variable(b, instr, operand, t.size * len(slots))
    if variable.space == "kernel":
        b.bad(instr, "a kernel's parameters cannot be stored to")
    cell, size, mask = b.cell(variable), t.size, t.mask

    def run(w: Warp, lanes: Sequence[int], m: int) -> None:
        for lane in lanes:
            raw = w.cells[cell][lane]
            for element, slot in enumerate(slots):
                at = offset + element * size
                raw[at : at + size] = (w.R[slot][lane] & mask).to_bytes(size, "little")

    return b.step(run, slots, [(shadow(b, variable), None)])


def shadow(b: Builder, variable: Variable) -> int:
    """A slot whose definedness stands for that of a .param variable."""
    return b.hidden(variable, variable.name)
