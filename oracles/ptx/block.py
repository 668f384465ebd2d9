"""One thread block: its warps, shared memory and barriers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from oracles.api import FaultKind
from oracles.ptx.errors import KernelFault
from oracles.ptx.lanes import lanes_of
from oracles.ptx.memory import Segment, Segments, Store
from oracles.ptx.races import Words
from oracles.ptx.warp import Warp

if TYPE_CHECKING:
    from oracles.ptx.grid import Grid
    from oracles.ptx.ops.barriers import Barrier


@dataclass(frozen=True)
class Arrival:
    """Lanes of a warp at a barrier instruction; ``count`` is the number of threads it names, 0 for all."""

    warp: Warp
    pc: int
    mask: int
    barrier: Barrier
    count: int


class Block:
    """A block; ``index`` is its linear number in the grid."""

    def __init__(self, grid: Grid, index: int) -> None:
        launch, layout = grid.launch, grid.program.layout
        self.grid = grid
        self.index = index
        x, y, _ = launch.grid
        self.ctaid = (index % x, index // x % y, index // (x * y))
        size = layout.shared_dynamic_at + launch.shared_bytes if launch.shared_bytes else layout.shared_static
        store = Store(0, size)
        segment = Segment(0, size, store, "the block's shared memory", "shared")
        self.shared = Segments([segment] if size else [], "shared")
        self.shared_written = bytearray(size)
        self.race_words: Words = {}
        self.arrivals: dict[int, list[Arrival]] = {}
        warps = -(-launch.threads_per_block // grid.program.mode.warp_size)
        self.warps = [Warp(grid, self, number) for number in range(warps)]

    @property
    def finished(self) -> bool:
        """True if every thread has exited."""
        return all(not warp.alive for warp in self.warps)

    def turn(self, quantum: int) -> None:
        """Let each warp that can run execute up to ``quantum`` instructions a lane, then open barriers."""
        moved = False
        for warp in self.grid.order(self.warps):
            if warp.ready:
                moved = True
                warp.run(self.grid.quantum(quantum))
        opened = self._open_barriers() if self.arrivals else False
        if not moved and not opened and not self.finished:
            raise self._stuck()

    # -- barriers ----------------------------------------------------------------------------------

    def arrive(self, number: int, arrival: Arrival) -> None:
        """Lanes reach a barrier."""
        there = self.arrivals.setdefault(number, [])
        if there and there[0].count != arrival.count:
            counts = f"{there[0].count or 'all'} and {arrival.count or 'all'}"
            raise KernelFault(
                FaultKind.BARRIER, f"barrier {number} is used with different counts: {counts} threads"
            )
        there.append(arrival)

    def _open_barriers(self) -> bool:
        opened = False
        alive = sum(warp.alive.bit_count() for warp in self.warps)
        for number, arrivals in list(self.arrivals.items()):
            arrived = sum(a.mask.bit_count() for a in arrivals)
            need = arrivals[0].count or alive
            if arrived > need:
                message = f"{arrived} threads arrive at barrier {number}, which is for {need}"
                raise _at(KernelFault(FaultKind.BARRIER, message), arrivals[0])
            if arrived == need:
                del self.arrivals[number]
                self._open(number, arrivals)
                opened = True
        return opened

    def _open(self, number: int, arrivals: Sequence[Arrival]) -> None:
        if self.grid.check:
            self._order_memory(arrivals)
            self._together(number, arrivals)
        arrivals[0].barrier.combine(arrivals)
        for a in arrivals:
            if a.barrier.waits:
                a.warp.ready[a.pc + 1] = a.warp.ready.get(a.pc + 1, 0) | a.mask

    def _order_memory(self, arrivals: Sequence[Arrival]) -> None:
        arrived, waiting = [], []
        for a in arrivals:
            threads = [a.warp.thread0 + lane for lane in lanes_of(a.mask)]
            arrived += threads
            if a.barrier.waits:
                waiting += threads
        here = set(arrived)
        # Threads that have exited count as having arrived.
        for warp in self.warps:
            lanes = min(self.grid.program.mode.warp_size, self._threads_from(warp))
            for lane in lanes_of(((1 << lanes) - 1) & ~warp.alive):
                if warp.thread0 + lane not in here:
                    arrived.append(warp.thread0 + lane)
        self.grid.checker.races.barrier(arrived, waiting)

    def _threads_from(self, warp: Warp) -> int:
        return (self.index + 1) * self.grid.launch.threads_per_block - warp.thread0

    def _together(self, number: int, arrivals: Sequence[Arrival]) -> None:
        """An aligned barrier must be executed by all threads of a warp, at one place."""
        for a in arrivals:
            alone = a.warp.alive & ~a.mask
            for other in arrivals:
                if other.warp is a.warp and other.pc == a.pc:
                    alone &= ~other.mask
            if a.barrier.aligned and alone:
                instr = a.barrier.instr
                mine, theirs = lanes_of(a.mask)[0], lanes_of(alone)[0]
                where = self.grid.checker.where
                message = (
                    f"`{instr.text}` at {instr.place} is reached by {where(a.warp.thread0 + mine)} "
                    f"but not, together with it, by {where(a.warp.thread0 + theirs)} of the same warp"
                )
                threads = [a.warp.thread0 + lane for lane in lanes_of(a.mask)]
                self.grid.checker.divergent(threads, message, instr, (instr.ordinal, number))

    # -- deadlock ----------------------------------------------------------------------------------

    def _stuck(self) -> KernelFault:
        """The fault when nobody can go on: who waits where."""
        for warp in self.warps:
            for (op, members), parts in warp.waiting.items():
                pc, mask = next(iter(parts.items()))
                here = 0
                for part in parts.values():
                    here |= part
                absent = lanes_of(members & warp.alive & ~here)
                at = self._whereabouts(warp, absent[0])
                message = f"{op.name} with member mask 0x{members:x} waits for lane {absent[0]}, which {at}"
                fault = KernelFault(FaultKind.CONVERGENCE, message)
                fault.at = (warp, pc, mask)
                return fault
        waits = []
        alive = sum(warp.alive.bit_count() for warp in self.warps)
        for number, arrivals in self.arrivals.items():
            count = sum(a.mask.bit_count() for a in arrivals)
            first = arrivals[0]
            where = self.grid.checker.where(first.warp.thread0 + lanes_of(first.mask)[0])
            waits.append(
                f"{count} of {first.count or alive} threads ({where} first) wait at barrier {number}, "
                f"{first.barrier.instr.cited}"
            )
        fault = KernelFault(FaultKind.BARRIER, "deadlock: " + "; ".join(waits), placed=True)
        return _at(fault, next(iter(self.arrivals.values()))[0])

    def _whereabouts(self, warp: Warp, lane: int) -> str:
        for (op, _), parts in warp.waiting.items():
            for pc, mask in parts.items():
                if mask >> lane & 1:
                    return f"waits in {op.name} at {self.grid.program.instrs[pc].cited}"
        for number, arrivals in self.arrivals.items():
            for a in arrivals:
                if a.warp is warp and a.mask >> lane & 1:
                    return f"waits at barrier {number}, {a.barrier.instr.cited}"
        return "is not there"


def _at(fault: KernelFault, arrival: Arrival) -> KernelFault:
    fault.at = (arrival.warp, arrival.pc, arrival.mask)
    return fault
