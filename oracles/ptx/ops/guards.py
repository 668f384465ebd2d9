"""Guards of instructions that handle them themselves."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from oracles.ptx.builder import Builder
from oracles.ptx.reader.syntax import Instr

if TYPE_CHECKING:
    from oracles.ptx.warp import Warp

Taken = Callable[["Warp", Sequence[int], int], int]
"""(warp, lanes, mask) -> mask of the lanes whose guard is true."""


def guard_of(b: Builder, instr: Instr) -> Taken | None:
    """How to evaluate an instruction's guard, None if it has none."""
    if instr.guard is None:
        return None
    slot, negated, check = b.register(instr.guard), instr.guard_negated, b.mode.check

    def taken(w: Warp, lanes: Sequence[int], m: int) -> int:
        column = w.R[slot]
        out = 0
        for lane in lanes:
            if column[lane]:
                out |= 1 << lane
        if check and w.T[slot] & m:
            w.used(slot, m, "it decides a guard", instr)
        return m & ~out if negated else out

    return taken
