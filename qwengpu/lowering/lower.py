"""PTX to a program: the list of passes, each followed by its check."""

from __future__ import annotations

from dataclasses import dataclass

from qwengpu.lowering.allocate import Allocation, allocate
from qwengpu.lowering.check_mir import check_mir
from qwengpu.lowering.check_pack import check_pack
from qwengpu.lowering.check_program import check_program, check_size
from qwengpu.lowering.check_rows import check_rows
from qwengpu.lowering.emit import emit
from qwengpu.lowering.mir import MFunction
from qwengpu.lowering.pack.model import PackedFunction
from qwengpu.lowering.pack.pack import pack
from qwengpu.lowering.pack.schedule import Effort
from qwengpu.lowering.select import select
from qwengpu.lowering.tidy import tidy
from qwengpu.program import Program
from qwengpu.spec import Spec

NORMAL = Effort()
FEWER_BLOCKS = Effort(block_cost=100, beam=8)
FEWER_REGISTERS = Effort(low_pressure=True)
SEARCH_LIMIT = 1.25
"""A harder search is tried if the kernel has at most this many times the blocks of the ROM."""


def lower(ptx: str, kernel: str | None, spec: Spec) -> Program:
    """The kernel (None: the only one) of a PTX module as ROM blocks of ``spec``, exact or not at all.

    Raises Refusal.
    """
    function = select(ptx, kernel, spec)
    check_mir(function)
    return lower_mir(function, spec)


def lower_mir(function: MFunction, spec: Spec) -> Program:
    """What follows instruction selection.

    Raises Refusal.
    """
    packed, allocation = _fit(function, spec)
    packed = tidy(packed, allocation, spec)
    program = emit(packed, allocation, spec)
    check_size(program.report, program.kernel, spec)
    check_program(program)
    return program


@dataclass(frozen=True)
class _Candidate:
    packed: PackedFunction
    allocation: Allocation
    blocks: int
    """ROM blocks too many."""
    registers: int
    """Register rows too many."""

    @property
    def excess(self) -> tuple[int, int]:
        """How far it is from fitting: registers first, since no spec has more of them."""
        return self.registers, self.blocks


def _fit(function: MFunction, spec: Spec) -> tuple[PackedFunction, Allocation]:
    """The first way of packing that fits ``spec``, else the one that is nearest to it."""
    best = _candidate(function, spec, NORMAL)
    if 0 < best.blocks <= (SEARCH_LIMIT - 1) * spec.blocks and not best.registers:
        best = min(best, _candidate(function, spec, FEWER_BLOCKS), key=lambda each: each.excess)
    if best.registers and not best.blocks:
        best = min(best, _candidate(function, spec, FEWER_REGISTERS), key=lambda each: each.excess)
    return best.packed, best.allocation


def _candidate(function: MFunction, spec: Spec, effort: Effort) -> _Candidate:
    packed = pack(function, spec, effort)
    check_pack(packed, spec)
    allocation = allocate(packed, spec)
    check_rows(packed, allocation)
    return _Candidate(
        packed,
        allocation,
        blocks=max(0, len(packed.blocks) - spec.blocks),
        registers=max(0, allocation.needed - (spec.registers - 1)),
    )
