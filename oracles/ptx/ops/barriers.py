"""Barriers of a block, and fences (PTX ISA, "bar", "barrier", "membar", "fence")."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from oracles.api import EventKind, FaultKind
from oracles.ptx.block import Arrival
from oracles.ptx.builder import Builder
from oracles.ptx.errors import KernelFault, Unsupported
from oracles.ptx.lanes import lanes_of
from oracles.ptx.ops.guards import guard_of
from oracles.ptx.ops.warpops import sync_warp
from oracles.ptx.reader.syntax import Instr
from oracles.ptx.step import Step
from oracles.ptx.types import PRED, U32
from oracles.ptx.warp import Warp


class Barrier:
    """A decoded bar.sync, bar.red or bar.arrive. ``waits`` is false for bar.arrive."""

    def __init__(self, b: Builder, instr: Instr) -> None:
        mods = [m for m in instr.mods if m not in ("cta", "aligned")]
        self.instr = instr
        self.aligned = instr.op == "bar" or "aligned" in instr.mods
        self.kind = mods[0] if mods else ""
        self.events = b.mode.events
        if self.kind not in ("sync", "arrive", "red"):
            raise Unsupported(b.no(instr, "this barrier is not supported", "use bar.sync"))
        self.waits = self.kind != "arrive"
        self.reduce = mods[1] if self.kind == "red" and len(mods) > 1 else ""
        wanted = {"popc": ("u32",), "and": ("pred",), "or": ("pred",)}.get(self.reduce)
        if (
            (self.kind == "red") != (wanted is not None)
            or tuple(mods[2:]) != (wanted or ())
            or (not wanted and len(mods) > 1)
        ):
            b.bad(instr, "write bar.sync, bar.arrive, bar.red.popc.u32, bar.red.and.pred or bar.red.or.pred")
        self.target = -1
        self.shown: str | None = None
        self.predicate, self.negated = -1, False
        self._operands(b)

    def _operands(self, b: Builder) -> None:
        instr = self.instr
        least, most = {"sync": (1, 2), "arrive": (2, 2), "red": (3, 4)}[self.kind]
        operands = list(b.operands(instr, least, most))
        if self.kind == "red":
            type_ = U32 if self.reduce == "popc" else PRED
            self.target, self.shown = b.destination(instr, operands.pop(0), type_)
            self.predicate, self.negated = b.condition(instr, operands.pop())
        self.number = b.source(instr, operands[0], U32)
        self.count = b.source(instr, operands[1], U32) if len(operands) > 1 else None

    def arrive(self, w: Warp, pc: int, mask: int) -> None:
        """Lanes reach the barrier."""
        groups: dict[tuple[int, int], int] = {}
        for lane in lanes_of(mask):
            number = w.R[self.number][lane]
            count = w.R[self.count][lane] if self.count is not None else 0
            if number > 15 or (self.count is not None and not count):
                what = f"barrier {number} does not exist" if number > 15 else "a barrier for 0 threads"
                raise KernelFault(FaultKind.ILLEGAL, f"{what}; there are 0 to 15", lane=lane)
            groups[number, count] = groups.get((number, count), 0) | 1 << lane
            if self.events:
                w.events.append((EventKind.BARRIER, w.thread0 + lane, self.instr.ordinal, "bar", number, 0))
        if w.grid.check:
            for slot in (self.number, self.count, self.predicate):
                if slot is not None and slot >= 0 and w.T[slot] & mask:
                    w.used(slot, mask, "it is an operand of a barrier", self.instr)
        for (number, count), part in groups.items():
            w.block.arrive(number, Arrival(w, pc, part, self, count))

    def combine(self, arrivals: Sequence[Arrival]) -> None:
        """Write the results of bar.red for all that arrived."""
        votes = []
        for a in arrivals:
            if a.barrier.predicate >= 0:
                column = a.warp.R[a.barrier.predicate]
                votes += [column[lane] ^ int(a.barrier.negated) for lane in lanes_of(a.mask)]
        for a in arrivals:
            a.barrier.result(a, votes)

    def result(self, a: Arrival, votes: Sequence[int]) -> None:
        """Write the result of one arrival."""
        if self.target < 0:
            return
        value = sum(votes)
        if self.reduce != "popc":
            value = int(value == len(votes) if self.reduce == "and" else value > 0)
        w, column = a.warp, a.warp.R[self.target]
        for lane in lanes_of(a.mask):
            column[lane] = value
            if self.events and self.shown is not None:
                w.events.append(
                    (EventKind.REGISTER, w.thread0 + lane, self.instr.ordinal, self.shown, value, 0)
                )
        w.T[self.target] &= ~a.mask


def _bar(b: Builder, instr: Instr) -> Step:
    if instr.mods[:1] == ("warp",):
        return sync_warp(b, instr)
    barrier, taken, pc = Barrier(b, instr), guard_of(b, instr), b.pc

    def run(w: Warp, lanes: Sequence[int], m: int) -> Any:
        yes = taken(w, lanes, m) if taken is not None else m
        if not yes:
            return None
        barrier.arrive(w, pc, yes)
        go_on = m & ~yes if barrier.waits else m
        return [(pc + 1, go_on)] if go_on else []

    return Step(run, control=True)


_FENCES = ("cta", "gl", "sys", "gpu", "cluster", "sc", "acq_rel", "acquire", "release", "proxy")


def _fence(b: Builder, instr: Instr) -> Step:
    """Memory is the same for all here; a fence matters for the race detector only."""
    for mod in instr.mods:
        if mod not in _FENCES[:-1]:
            raise Unsupported(b.no(instr, f"modifier .{mod} is not supported", "leave it out"))

    def run(w: Warp, lanes: Sequence[int], m: int) -> None:
        if w.grid.check:
            for lane in lanes:
                w.checker.races.fence(w.thread0 + lane)

    return Step(run)


OPS: Mapping[str, Callable[[Builder, Instr], Step]] = {
    "bar": _bar,
    "barrier": _bar,
    "membar": _fence,
    "fence": _fence,
}
"""Opcode -> decoder."""
