"""One warp: registers of its lanes, their program counters, and the loop that executes them.

An instruction (`oracles.ptx.loops.Run`) returns None to go on with the next one, an index to jump to, or a
list of (index, mask) for lanes that part; lanes in none of these have exited or wait. Of the lanes that
can run, those at the lowest index run first.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from oracles.api import FindingKind
from oracles.ptx.errors import KernelFault, StepLimit
from oracles.ptx.lanes import lanes_of
from oracles.ptx.memory import GenericSpace, LocalSpace, Segment, Space, Store
from oracles.ptx.origins import Origin
from oracles.ptx.reader.syntax import Instr
from oracles.ptx.special import Place, special_column

if TYPE_CHECKING:
    from oracles.ptx.block import Block
    from oracles.ptx.checker import Checker
    from oracles.ptx.grid import Grid
    from oracles.ptx.ops.warpops import WarpOp

_NO_LIMIT = 1 << 60
_PATIENCE = 3
"""Quanta that the lanes at the lowest index may use up before others of their warp get one."""


class Warp:
    """``R[slot][lane]`` are register values, ``T[slot]`` masks of lanes where they are undefined."""

    __slots__ = (
        "O",
        "R",
        "T",
        "alive",
        "block",
        "cells",
        "checker",
        "events",
        "favoured",
        "grid",
        "local_written",
        "patience",
        "ready",
        "spaces",
        "steps",
        "thread0",
        "waiting",
    )

    def __init__(self, grid: Grid, block: Block, number: int) -> None:
        program = grid.program
        size = program.mode.warp_size
        first = number * size
        lanes = min(size, grid.launch.threads_per_block - first)
        self.grid = grid
        self.block = block
        self.checker: Checker = grid.checker
        self.events: list[Any] = grid.events
        self.thread0 = block.index * grid.launch.threads_per_block + first
        self.alive = (1 << lanes) - 1
        place = Place(grid.launch.grid, grid.launch.block, block.ctaid, first, size, grid.launch.shared_bytes)
        self.R = [grid.constants.get(slot) or [0] * size for slot in range(program.slots)]
        for slot, (name, width) in program.specials.items():
            self.R[slot] = special_column(name, width, place)
        self.T = list(grid.undefined)
        self.O: dict[tuple[int, int], Origin] = {}
        self.ready = {program.entry: self.alive}
        self.waiting: dict[tuple[WarpOp, int], dict[int, int]] = {}
        self.steps = [0] * size
        self.patience = 0
        self.favoured = grid.favoured()
        self.cells = [[bytearray(v.size) for _ in range(size)] for v in program.cells]
        self._memory(lanes)

    def _memory(self, lanes: int) -> None:
        grid, shared = self.grid, self.block.shared
        size = grid.program.layout.local_size
        stores = [Store(0, size) for _ in range(lanes)] if size else []
        local = LocalSpace([Segment(0, size, store, "local memory", "local") for store in stores])
        self.local_written = [bytearray(size) for _ in range(lanes)]
        generic = GenericSpace(grid.everywhere, shared, local)
        self.spaces: tuple[Space, ...] = (grid.globals, shared, local, grid.constant_memory, generic)

    @property
    def finished(self) -> bool:
        """True if every lane has exited."""
        return not self.alive

    # -- running -----------------------------------------------------------------------------------

    def run(self, budget: int) -> None:
        """Execute at most ``budget`` instructions a lane, or until no lane can go on."""
        ready, code, steps = self.ready, self.grid.program.code, self.steps
        step_limit = self.grid.step_limit
        while ready and budget > 0:
            pc, limit, most_now = self._choose()
            mask = ready.pop(pc)
            lanes = lanes_of(mask)
            most = max([steps[lane] for lane in lanes])
            room = min(budget, step_limit - most, most_now)
            if room <= 0:
                lane = next(lane for lane in lanes if steps[lane] >= step_limit)
                raise StepLimit(self.thread0 + lane, pc)
            count = 0
            try:
                while True:
                    result = code[pc](self, lanes, mask)
                    count += 1
                    if result is None:
                        pc += 1
                    elif result.__class__ is int:
                        pc = result
                    else:
                        for to, part in result:
                            ready[to] = ready.get(to, 0) | part
                        break
                    if pc >= limit or count >= room:
                        ready[pc] = ready.get(pc, 0) | mask
                        break
            except KernelFault as fault:
                fault.at = fault.at or (self, pc, mask)
                raise
            finally:
                for lane in lanes:
                    steps[lane] += count
                self.grid.executed += count * len(lanes)
            budget -= count
        self.patience = self.patience + 1 if len(ready) > 1 else 0

    def _choose(self) -> tuple[int, int, int]:
        """Which lanes run next, the index at which they must let others in, and for how many instructions."""
        ready = self.ready
        if len(ready) == 1:
            return next(iter(ready)), _NO_LIMIT, _NO_LIMIT
        if self.patience >= _PATIENCE:
            # The lowest may spin for what a lane further on has to do: from sm_70 on, each makes progress.
            self.patience = 0
            return max(ready), _NO_LIMIT, _NO_LIMIT
        first, second = sorted(ready)[:2]
        other = self.grid.out_of_turn(self, first)
        if other is not None:
            return other, _NO_LIMIT, 1
        return first, second, _NO_LIMIT

    # -- ends and waits ----------------------------------------------------------------------------

    def exit(self, mask: int) -> None:
        """Lanes are done; others may have waited only for them."""
        self.alive &= ~mask
        if self.waiting:
            self.release_waiting()

    def release_waiting(self) -> None:
        """Let lanes go whose warp-synchronous operation needs no further lane."""
        for (op, members), parts in list(self.waiting.items()):
            there = 0
            for mask in parts.values():
                there |= mask
            if members & self.alive == there:
                del self.waiting[op, members]
                op.complete(self, parts)
                for pc, mask in parts.items():
                    self.ready[pc + 1] = self.ready.get(pc + 1, 0) | mask

    # -- definedness -------------------------------------------------------------------------------

    def origin_of(self, slot: int, lane: int, instr: Instr) -> Origin:
        """Why a register is undefined; a register without a known origin was never written."""
        found = self.O.get((slot, lane))
        if found is None:
            what = f"{self.grid.program.names.get(slot, 'a value')} is read before it is written"
            found = self.checker.origin(FindingKind.UNINITIALISED, what, instr)
        return found

    def used(self, slot: int, mask: int, use: str, instr: Instr) -> None:
        """Report lanes of ``mask`` whose undefined value in ``slot`` matters now."""
        for lane in lanes_of(self.T[slot] & mask):
            self.checker.used(self.origin_of(slot, lane, instr), self.thread0 + lane, use, instr)

    def undefine(self, slots: Sequence[int], origins: dict[int, Origin]) -> None:
        """Mark destinations undefined in some lanes."""
        for lane, origin in origins.items():
            for slot in slots:
                self.T[slot] |= 1 << lane
                self.O[slot, lane] = origin
