"""Rows hold what they are read for, checked after allocation without its notion of liveness."""

from __future__ import annotations

from qwengpu.lowering.allocate import Allocation, block_reads, successors
from qwengpu.lowering.check import CheckError
from qwengpu.lowering.mir import VReg
from qwengpu.lowering.pack.model import PackedBlock, PackedFunction

Held = dict[int, frozenset[VReg]]
"""For each row the registers whose word it certainly holds."""


def check_rows(packed: PackedFunction, allocation: Allocation) -> None:
    """Raise CheckError if on some path a block reads a register whose row holds another word by then.

    At the entry every row is zero, and so is every register that nothing has written.
    """
    rows = allocation.rows
    for reg, row in rows.items():
        if row < 1:
            raise CheckError(f"rows: {reg} is in row {row}")
    for index, block in enumerate(packed.blocks):
        missing = [reg for reg in {*block_reads(block), *(reg for reg, _ in block.outs)} if reg not in rows]
        if missing:
            raise CheckError(f"rows: {missing[0]}, used in block {index}, has no row")
    everything = frozenset(rows)
    states: dict[int, Held] = {0: dict.fromkeys(set(rows.values()), everything)}
    todo = [0]
    while todo:
        index = todo.pop()
        after = _after(packed.blocks[index], states[index], rows)
        for target in successors(packed.blocks[index]):
            known = states.get(target)
            if known is None:
                states[target] = after
                todo.append(target)
                continue
            met = {row: held & after[row] for row, held in known.items()}
            if met != known:
                states[target] = met
                todo.append(target)
    for index, state in states.items():
        for reg in block_reads(packed.blocks[index]):
            if reg not in state[rows[reg]]:
                raise CheckError(f"rows: block {index} reads {reg}, but row {rows[reg]} may hold another word")


def _after(block: PackedBlock, state: Held, rows: dict[VReg, int]) -> Held:
    written = {reg for reg, _ in block.outs}
    out = {row: held - written for row, held in state.items()}
    landed: dict[int, object] = {}
    for reg, source in block.outs:
        row = rows[reg]
        if row in landed and landed[row] != source:
            raise CheckError(f"rows: two words for row {row} in one block")
        landed[row] = source
        same = {other for other, its in block.outs if its == source}
        kept = state[rows[source]] - written if isinstance(source, VReg) else frozenset()
        out[row] = frozenset(same) | kept
    return out
