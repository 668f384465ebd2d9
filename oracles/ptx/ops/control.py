"""Control flow (PTX ISA, "Control Flow Instructions", trap)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from oracles.api import EventKind, FaultKind
from oracles.ptx.builder import Builder
from oracles.ptx.errors import KernelFault, Unsupported
from oracles.ptx.lanes import lanes_of
from oracles.ptx.loops import Run
from oracles.ptx.ops.guards import guard_of
from oracles.ptx.ops.params import shadow
from oracles.ptx.reader.syntax import (
    Arguments,
    Function,
    Imm,
    Instr,
    Name,
    Operand,
    Reg,
    Sym,
    Table,
    Target,
    Variable,
)
from oracles.ptx.step import Step
from oracles.ptx.types import U32
from oracles.ptx.warp import Warp


def _branch_events(w: Warp, lanes: Sequence[int], taken: int, ordinal: int, name: str) -> None:
    w.events += [(EventKind.BRANCH, w.thread0 + lane, ordinal, name, taken >> lane & 1, 0) for lane in lanes]


def _bra(b: Builder, instr: Instr) -> Step:
    b.modifiers(instr, "uni")
    (operand,) = b.operands(instr, 1)
    if not isinstance(operand, Target):
        b.bad(instr, "bra needs a label")
    to, after = b.base + operand.index, b.pc + 1
    taken = guard_of(b, instr)
    if taken is None:

        def jump(w: Warp, lanes: Sequence[int], m: int) -> int:
            return to

        return Step(jump, control=True)
    test, events, ordinal = taken, b.mode.events, instr.ordinal

    def branch(w: Warp, lanes: Sequence[int], m: int) -> Any:
        yes = test(w, lanes, m)
        if events:
            _branch_events(w, lanes, yes, ordinal, "bra")
        if yes == m:
            return to
        return [(to, yes), (after, m & ~yes)] if yes else None

    return Step(branch, control=True)


def _brx(b: Builder, instr: Instr) -> Step:
    """brx.idx: an index outside the table is undefined in PTX and a fault here."""
    b.modifiers(instr, "idx", "uni")
    index, table = b.operands(instr, 2)
    if not isinstance(table, Table) or instr.mods[:1] != ("idx",):
        b.bad(instr, "brx is written brx.idx %index, table")
    slot = b.source(instr, index, U32)
    targets = [b.base + target.index for target in table.targets]
    taken, after, events, check = guard_of(b, instr), b.pc + 1, b.mode.events, b.mode.check

    def run(w: Warp, lanes: Sequence[int], m: int) -> Any:
        yes = taken(w, lanes, m) if taken is not None else m
        out = [(after, m & ~yes)] if yes != m else []
        if check and w.T[slot] & yes:
            w.used(slot, yes, "it decides a branch", instr)
        if events:
            false = lanes_of(m & ~yes)
            w.events += [(EventKind.BRANCH, w.thread0 + lane, instr.ordinal, "bra", 0, 0) for lane in false]
        column = w.R[slot]
        for lane in lanes_of(yes):
            value = column[lane]
            if value >= len(targets):
                raise KernelFault(
                    FaultKind.ILLEGAL, f"index {value} is outside the table of {len(targets)} labels", lane=lane
                )
            out.append((targets[value], 1 << lane))
            if events:
                w.events.append((EventKind.BRANCH, w.thread0 + lane, instr.ordinal, "bra", value, 0))
        return out

    return Step(run, control=True)


# --------------------------------------------------------------------------------------------------
# Calls. No function calls itself, so that each has one set of registers a lane.


def return_slot(b: Builder, function: Function) -> int:
    """The slot that holds where a function returns to."""
    return b.hidden(("return", function.name))


def _call_parts(b: Builder, instr: Instr) -> tuple[tuple[Operand, ...], str, tuple[Operand, ...]]:
    """(results, function, arguments) of a call."""
    operands = list(instr.operands)
    results: tuple[Operand, ...] = ()
    if operands and isinstance(operands[0], Arguments):
        results = operands[0].items
        del operands[0]
    target = operands.pop(0) if operands else None
    if isinstance(target, Reg) or len(operands) > 1:
        raise Unsupported(b.no(instr, "indirect calls are not supported", "call the function by its name"))
    if not isinstance(target, Name) or (operands and not isinstance(operands[0], Arguments)):
        b.bad(instr, "call is written call (result), function, (arguments)")
    given = operands[0].items if operands and isinstance(operands[0], Arguments) else ()
    return results, target.text, given


def _call(b: Builder, instr: Instr) -> Step:
    b.modifiers(instr, "uni")
    results, name, given = _call_parts(b, instr)
    function = b.functions[name]
    if len(given) != len(function.params) or len(results) != len(function.returns):
        b.bad(
            instr,
            f"{name} takes {len(function.params)} arguments and gives {len(function.returns)} results, "
            f"the call has {len(given)} and {len(results)}",
        )
    pass_in = [_copy_in(b, instr, o, p) for o, p in zip(given, function.params, strict=True)]
    b.returns[b.pc + 1] = [_copy_out(b, instr, o, p) for o, p in zip(results, function.returns, strict=True)]
    slot, start, after = return_slot(b, function), b.starts[name], b.pc + 1
    taken, check = guard_of(b, instr), b.mode.check
    fresh = b.fresh[name]
    local_at = [(b.program.layout.addresses[v], v.size) for v in function.variables if v.space == "local"]

    def run(w: Warp, lanes: Sequence[int], m: int) -> Any:
        yes = taken(w, lanes, m) if taken is not None else m
        if not yes:
            return None
        if check:
            for register in fresh:
                w.T[register] |= yes
            for lane in lanes_of(yes):
                for at, size in local_at:
                    w.local_written[lane][at : at + size] = bytes(size)
        inside = lanes_of(yes)
        for copy in pass_in:
            copy(w, inside, yes)
        column = w.R[slot]
        for lane in inside:
            column[lane] = after
        return [(start, yes), (after, m & ~yes)] if yes != m else start

    return Step(run, control=True)


def _copy_in(b: Builder, instr: Instr, operand: Operand, formal: Variable) -> Run:
    to, size = b.cell(formal), formal.size
    shadow_to = shadow(b, formal)
    if isinstance(operand, Sym) and operand.variable.space == "param":
        if operand.variable.size != size:
            b.bad(instr, f"{operand.variable.name} has {operand.variable.size} bytes, {formal.name} {size}")
        return _copy_cell(b.cell(operand.variable), to, shadow(b, operand.variable), shadow_to)
    if not isinstance(operand, (Reg, Imm)):
        b.bad(instr, "an argument must be a .param variable, a register or a constant")
    slot = b.source(instr, operand, formal.type)

    def run(w: Warp, lanes: Sequence[int], m: int) -> None:
        for lane in lanes:
            w.cells[to][lane][:] = w.R[slot][lane].to_bytes(size, "little")
        w.T[shadow_to] = w.T[shadow_to] & ~m | w.T[slot] & m

    return run


def _copy_out(b: Builder, instr: Instr, operand: Operand, formal: Variable) -> Run:
    source, shadow_from = b.cell(formal), shadow(b, formal)
    if isinstance(operand, Sym) and operand.variable.space == "param":
        if operand.variable.size != formal.size:
            b.bad(
                instr, f"{operand.variable.name} has {operand.variable.size} bytes, {formal.name} {formal.size}"
            )
        return _copy_cell(source, b.cell(operand.variable), shadow_from, shadow(b, operand.variable))
    slot, name = b.destination(instr, operand, formal.type)
    events, ordinal = b.mode.events, instr.ordinal

    def run(w: Warp, lanes: Sequence[int], m: int) -> None:
        for lane in lanes:
            value = w.R[slot][lane] = int.from_bytes(w.cells[source][lane], "little")
            if events and name is not None:
                w.events.append((EventKind.REGISTER, w.thread0 + lane, ordinal, name, value, 0))
        w.T[slot] = w.T[slot] & ~m | w.T[shadow_from] & m

    return run


def _copy_cell(source: int, to: int, shadow_from: int, shadow_to: int) -> Run:
    def run(w: Warp, lanes: Sequence[int], m: int) -> None:
        for lane in lanes:
            w.cells[to][lane][:] = w.cells[source][lane]
            if (shadow_from, lane) in w.O:
                w.O[shadow_to, lane] = w.O[shadow_from, lane]
        w.T[shadow_to] = w.T[shadow_to] & ~m | w.T[shadow_from] & m

    return run


def _ret(b: Builder, instr: Instr) -> Step:
    b.modifiers(instr, "uni")
    b.operands(instr, 0)
    return leave(b, instr, returns=not b.function.entry and instr.op == "ret")


def leave(b: Builder, instr: Instr, returns: bool) -> Step:
    """ret of a called function, or the end of a thread."""
    taken, events, after = guard_of(b, instr), b.mode.events, b.pc + 1
    slot = return_slot(b, b.function) if returns else -1
    copies = b.returns

    def run(w: Warp, lanes: Sequence[int], m: int) -> Any:
        yes = m
        if taken is not None:
            yes = taken(w, lanes, m)
            if events:
                _branch_events(w, lanes, yes, instr.ordinal, "ret")
            if not yes:
                return None
        out = [(after, m & ~yes)] if yes != m else []
        if not returns:
            w.exit(yes)
            return out
        places: dict[int, int] = {}
        for lane in lanes_of(yes):
            to = w.R[slot][lane]
            places[to] = places.get(to, 0) | 1 << lane
        for to, mask in places.items():
            for copy in copies[to]:
                copy(w, lanes_of(mask), mask)
        return out + list(places.items())

    return Step(run, control=True)


def _trap(b: Builder, instr: Instr) -> Step:
    b.operands(instr, 0)
    message = "trap is executed" if instr.op == "trap" else "a breakpoint is reached"

    def run(w: Warp, lanes: Sequence[int], m: int) -> None:
        raise KernelFault(FaultKind.TRAP, message, lane=lanes[0])

    return Step(run)


OPS: Mapping[str, Callable[[Builder, Instr], Step]] = {
    "bra": _bra,
    "brx": _brx,
    "call": _call,
    "ret": _ret,
    "exit": _ret,
    "trap": _trap,
    "brkpt": _trap,
}
"""Opcode -> decoder."""
