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

STRATEGIES = (Effort(), Effort(beam=8, nodes=160), Effort(low_pressure=True))
"""Ways to pack, in the order in which they are tried until the kernel fits."""


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

    def excess(self, spec: Spec) -> tuple[int, int]:
        """How far it is from fitting: registers first, since no spec has more of them."""
        registers = max(0, self.allocation.needed - (spec.registers - 1))
        return registers, max(0, len(self.packed.blocks) - spec.blocks)


def _fit(function: MFunction, spec: Spec) -> tuple[PackedFunction, Allocation]:
    best: _Candidate | None = None
    for effort in STRATEGIES:
        packed = pack(function, spec, effort)
        check_pack(packed, spec)
        allocation = allocate(packed, spec)
        check_rows(packed, allocation)
        candidate = _Candidate(packed, allocation)
        if best is None or candidate.excess(spec) < best.excess(spec):
            best = candidate
        if best.excess(spec) == (0, 0):
            break
    assert best is not None
    return best.packed, best.allocation
