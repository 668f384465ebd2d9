"""The control-flow graph of MIR: uses, definitions, edges, reachability, liveness."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from qwengpu.isa import Op
from qwengpu.lowering.mir import (
    Barrier,
    Branch,
    Define,
    Item,
    Jump,
    MBlock,
    MMove,
    MOp,
    MSerial,
    MStore,
    MSync,
    Operand,
    Terminator,
    VReg,
)

WARP_OPS = frozenset({Op.SHFL, Op.SHFLP, Op.BALLOT})
"""Operations whose result depends on which lanes are active together."""


def op_operands(op: MOp) -> tuple[Operand, ...]:
    """The operands that the operation reads, its member mask included."""
    used = op.op.operands
    out = (op.a,) if len(used) == 1 else (op.a, op.b) if len(used) == 2 else (op.a, op.b, op.c)
    return out if op.sync is None else (*out, op.sync)


def uses(item: Item) -> tuple[Operand, ...]:
    """Operands that ``item`` reads for its work; a `Define` reads nothing."""
    if isinstance(item, MOp):
        return op_operands(item)
    if isinstance(item, MMove):
        return (item.source,)
    if isinstance(item, MStore):
        return (item.a, item.b, item.c, item.data, item.value)
    if isinstance(item, MSync):
        return (item.mask,)
    if isinstance(item, MSerial):
        return tuple(operand for inner in item.items for operand in uses(inner))
    return ()


def definition(item: Item) -> VReg | None:
    """The register that a plain item writes (an `MSerial` writes those of its items)."""
    return item.dest if isinstance(item, (MOp, MMove)) else None


def flat(items: tuple[Item, ...]) -> Iterator[Item]:
    """Items with those of each `MSerial` in its place."""
    for item in items:
        if isinstance(item, MSerial):
            yield from item.items
        else:
            yield item


def end_uses(end: Terminator) -> tuple[Operand, ...]:
    """Operands that a terminator reads."""
    if isinstance(end, Branch):
        return (end.cond,) if end.index is None else (end.cond, end.index)
    return ()


def targets(end: Terminator) -> tuple[int, ...]:
    """Numbers of the blocks that a terminator can go to."""
    if isinstance(end, Branch):
        pair = (end.taken, end.other)
        return tuple(t for t in dict.fromkeys(pair) if t is not None)
    if isinstance(end, (Jump, Barrier)):
        return () if end.target is None else (end.target,)
    return ()


def retarget(end: Terminator, to: dict[int, int | None]) -> Terminator:
    """``end`` with each target t replaced by ``to[t]`` where there is one (a barrier keeps a real target)."""
    if isinstance(end, Branch):
        taken = end.taken if end.taken is None else to.get(end.taken, end.taken)
        other = end.other if end.other is None else to.get(end.other, end.other)
        if taken == end.taken and other == end.other:
            return end
        return replace(end, taken=taken, other=other)
    if isinstance(end, Jump) and end.target is not None:
        return Jump(to.get(end.target, end.target))
    if isinstance(end, Barrier):
        target = to.get(end.target, end.target)
        return end if target is None else replace(end, target=target)
    return end


def predecessors(blocks: dict[int, MBlock]) -> dict[int, list[int]]:
    """Predecessor numbers of each block."""
    out: dict[int, list[int]] = {number: [] for number in blocks}
    for number, block in blocks.items():
        for target in targets(block.end):
            out[target].append(number)
    return out


def reachable(blocks: dict[int, MBlock], entry: int) -> set[int]:
    """Blocks that some path from the entry reaches."""
    seen = {entry}
    todo = [entry]
    while todo:
        for target in targets(blocks[todo.pop()].end):
            if target not in seen:
                seen.add(target)
                todo.append(target)
    return seen


def local_sets(block: MBlock) -> tuple[set[VReg], set[VReg]]:
    """(registers read before any write, registers written) of one block."""
    exposed: set[VReg] = set()
    written: set[VReg] = set()
    for item in flat(block.items):
        for operand in uses(item):
            if isinstance(operand, VReg) and operand not in written:
                exposed.add(operand)
        dest = definition(item)
        if dest is not None:
            written.add(dest)
    for operand in end_uses(block.end):
        if isinstance(operand, VReg) and operand not in written:
            exposed.add(operand)
    return exposed, written


def liveness(blocks: dict[int, MBlock]) -> tuple[dict[int, set[VReg]], dict[int, set[VReg]]]:
    """(live at the start, live at the end) of each block."""
    local = {number: local_sets(block) for number, block in blocks.items()}
    live_in: dict[int, set[VReg]] = {number: set(local[number][0]) for number in blocks}
    live_out: dict[int, set[VReg]] = {number: set() for number in blocks}
    order = sorted(blocks, reverse=True)
    changed = True
    while changed:
        changed = False
        for number in order:
            out = live_out[number]
            before = len(out)
            for target in targets(blocks[number].end):
                out |= live_in[target]
            if len(out) != before:
                live_in[number] |= out - local[number][1]
                changed = True
    return live_in, live_out


def warp_synchronous(blocks: dict[int, MBlock]) -> bool:
    """True if some result or fault depends on which lanes of a warp are together."""
    return any(
        isinstance(block.end, Barrier)
        or any(
            isinstance(item, MSync)
            or (isinstance(item, MOp) and (item.op in WARP_OPS or item.sync is not None))
            for item in flat(block.items)
        )
        for block in blocks.values()
    )


def is_define(item: Item) -> bool:
    """True for a `Define`."""
    return isinstance(item, Define)
