"""MIR to packed blocks, pass by pass."""

from __future__ import annotations

from itertools import count

from qwengpu.lowering.mir import MFunction, VReg
from qwengpu.lowering.pack.constants import propagate_constants
from qwengpu.lowering.pack.dag import build_dag
from qwengpu.lowering.pack.dead import remove_dead
from qwengpu.lowering.pack.flow import definition, end_uses, flat, liveness, uses
from qwengpu.lowering.pack.materialise import Materialiser
from qwengpu.lowering.pack.model import PackedBlock, PackedFunction
from qwengpu.lowering.pack.pressure import Pressure
from qwengpu.lowering.pack.rematerialise import rematerialise
from qwengpu.lowering.pack.schedule import Effort, Scheduler
from qwengpu.lowering.pack.straighten import Blocks, straighten
from qwengpu.lowering.pack.tables import tables
from qwengpu.lowering.pack.zeros import drop_zero_moves
from qwengpu.spec import Spec

SLACK = 2
"""Registers that a block of the strategy for few registers leaves for what the next block computes."""


def simplify(
    function: MFunction, spec: Spec, effort: Effort
) -> tuple[Blocks, frozenset[VReg], dict[tuple[int, str], str]]:
    """(basic blocks as they are packed, registers that count on starting at zero, definitions lost)."""
    blocks: Blocks = {block.number: block for block in function.blocks}
    entry = function.blocks[0].number
    hoist = 0 if effort.low_pressure else spec.live_outs
    blocks, unmapped = straighten(blocks, entry, 0)
    blocks = propagate_constants(blocks, entry)
    zeros: frozenset[VReg] = frozenset()
    if not effort.low_pressure:
        blocks, zeros = drop_zero_moves(blocks, entry)
    blocks, lost = remove_dead(blocks)
    unmapped.update(lost)
    blocks, lost = straighten(blocks, entry, hoist)
    unmapped.update(lost)
    return blocks, zeros, unmapped


def pack(function: MFunction, spec: Spec, effort: Effort | None = None) -> PackedFunction:
    """``function`` as ROM blocks over virtual registers. The number of blocks is not limited here.

    Raises Refusal if an operation or an atomic bundle fits no ROM block of ``spec``.
    """
    effort = effort or Effort()
    blocks, zeros, unmapped = simplify(function, spec, effort)
    numbers = count(_highest(blocks) + 1)

    def fresh() -> VReg:
        return VReg(next(numbers))

    if effort.low_pressure:
        blocks = rematerialise(blocks, fresh)
    _, live_out = liveness(blocks)
    pipeline = tables(spec)
    parts: list[Materialiser] = []
    start: dict[int, int] = {}
    at = 0
    for number in sorted(blocks):
        dag = build_dag(blocks[number], live_out[number], share=not effort.low_pressure)
        pressure = Pressure(dag, live_out[number], spec.registers - 1 - SLACK) if effort.low_pressure else None
        fills = Scheduler(dag, pipeline, fresh, pressure).run(effort)
        parts.append(Materialiser(dag, fills, pipeline, fresh, live_out[number]))
        start[number] = at
        at += len(fills)
    packed: list[PackedBlock] = []
    for part in parts:
        packed += part.blocks(len(packed), lambda target: None if target is None else start[target])
        unmapped.update(part.unmapped)
    return PackedFunction(function, tuple(packed), zeros, unmapped)


def _highest(blocks: Blocks) -> int:
    numbers = [-1]
    for block in blocks.values():
        for item in flat(block.items):
            dest = definition(item)
            numbers += [operand.number for operand in uses(item) if isinstance(operand, VReg)]
            if dest is not None:
                numbers.append(dest.number)
        numbers += [operand.number for operand in end_uses(block.end) if isinstance(operand, VReg)]
    return max(numbers)
