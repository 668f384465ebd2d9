"""Fewer basic blocks: unreachable ones removed, empty ones threaded, straight lines merged.

Lanes reconverge because the lowest program counter runs first, so which lanes are together at a
warp-synchronous operation depends on the numbers of blocks. Each change here keeps that:

* Merging C into its only predecessor B: if C follows B in layout, no lane can be between them. If not,
  only in functions where nothing depends on which lanes are together.
* Threading an empty block E that jumps forward to T: lanes wait at T as they would have waited at E. If it
  jumps backward, E is where lanes of one iteration gather; it stays, unless its only predecessor precedes it
  in layout, or nothing depends on which lanes are together and E has one predecessor.
* Hoisting the moves of a block on one edge of a branch into the branching block empties the former.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

from qwengpu.lowering.mir import (
    Barrier,
    Branch,
    Define,
    Jump,
    MBlock,
    MMove,
    VReg,
)
from qwengpu.lowering.pack.flow import (
    end_uses,
    is_define,
    liveness,
    predecessors,
    reachable,
    retarget,
    targets,
    warp_synchronous,
)
from qwengpu.lowering.pack.loops import loop_depths

Blocks = dict[int, MBlock]
Unmapped = dict[tuple[int, str], str]

THREADED = "fused: the block that defines it has no operation of its own"


def straighten(blocks: Blocks, entry: int, hoist: int) -> tuple[Blocks, Unmapped]:
    """(fewer blocks with their old numbers, definitions that were lost on the way).

    At most ``hoist`` moves of an edge are hoisted.
    """
    unmapped: Unmapped = {}
    together = warp_synchronous(blocks)
    while True:
        alive = reachable(blocks, entry)
        blocks = {number: _simple_end(blocks[number]) for number in sorted(alive)}
        if not (
            _merge(blocks, entry, together)
            or _thread(blocks, entry, together, unmapped)
            or _hoist(blocks, entry, hoist)
        ):
            return blocks, unmapped


def _simple_end(block: MBlock) -> MBlock:
    """A branch with one target that reports nothing is a jump."""
    end = block.end
    if isinstance(end, Branch) and end.taken == end.other and end.instr is None:
        return replace(block, end=Jump(end.taken))
    return block


def _merge(blocks: Blocks, entry: int, together: bool) -> bool:
    preds = predecessors(blocks)
    order = sorted(blocks)
    following = dict(pairwise(order))
    changed = False
    for number in order:
        block = blocks.get(number)
        while block is not None and isinstance(block.end, Jump) and block.end.target is not None:
            target = block.end.target
            adjacent = following.get(number) == target
            if target in (entry, number) or len(preds[target]) != 1 or (together and not adjacent):
                break
            if target < number:
                break
            tail = blocks.pop(target)
            block = MBlock(number, block.items + tail.items, tail.end)
            blocks[number] = block
            changed = True
            if target in following:
                after = following.pop(target)
                if adjacent:
                    following[number] = after
                else:
                    before = max(n for n in following if n < target)
                    following[before] = after
            elif adjacent:
                following.pop(number)
            for later in targets(tail.end):
                preds[later] = [number if pred == target else pred for pred in preds[later]]
    return changed


def _thread(blocks: Blocks, entry: int, together: bool, unmapped: Unmapped) -> bool:
    preds = predecessors(blocks)
    order = sorted(blocks)
    before = {after: ahead for ahead, after in pairwise(order)}
    for number in order:
        block = blocks[number]
        if number == entry or not isinstance(block.end, Jump) or not all(map(is_define, block.items)):
            continue
        target = block.end.target
        if target == number:
            continue
        sources = preds[number]
        if target is not None and target < number:
            alone = len(sources) == 1
            if not alone or (together and before.get(number) != sources[0]):
                continue
        if target is None and any(isinstance(blocks[source].end, Barrier) for source in sources):
            continue
        _report_in_predecessors(blocks, block, sources, unmapped)
        for source in sources:
            old = blocks[source]
            blocks[source] = replace(old, end=retarget(old.end, {number: target}))
        del blocks[number]
        return True
    return False


def _report_in_predecessors(blocks: Blocks, block: MBlock, sources: list[int], unmapped: Unmapped) -> None:
    """Move the definitions of an empty block to its predecessors, guarded by their branch conditions."""
    for item in block.items:
        assert isinstance(item, Define)
        moved = [_guarded(item, blocks[source], block.number) for source in sources]
        if all(define is not None for define in moved):
            for source, define in zip(sources, moved, strict=True):
                old = blocks[source]
                assert define is not None
                blocks[source] = replace(old, items=(*old.items, define))
        else:
            unmapped[item.instr, item.register] = THREADED


def _guarded(item: Define, source: MBlock, number: int) -> Define | None:
    """``item`` as it is seen at the end of ``source`` on the way to block ``number``; None if it can't be."""
    end = source.end
    if isinstance(end, Jump):
        return item
    if isinstance(end, Branch):
        if end.taken == end.other:
            return item
        if item.guard is None:
            return replace(item, guard=end.cond, guard_sense=end.taken == number)
    return None


def _hoist(blocks: Blocks, entry: int, limit: int) -> bool:
    preds = predecessors(blocks)
    live_in, _ = liveness(blocks)
    depths: dict[int, int] | None = None
    for number in sorted(blocks):
        block = blocks[number]
        if number == entry or len(preds[number]) != 1 or not isinstance(block.end, Jump):
            continue
        target = block.end.target
        if target is not None and target <= number:
            continue
        source = blocks[preds[number][0]]
        end = source.end
        if not isinstance(end, Branch) or end.taken == end.other or not block.items:
            continue
        other = end.other if end.taken == number else end.taken
        writes = _hoistable(block, limit)
        if writes is None or writes & set(end_uses(end)):
            continue
        if other is not None and writes & live_in[other]:
            continue
        if depths is None:
            depths = loop_depths(blocks, entry)
        if depths[source.number] > depths[number]:
            continue
        sense = end.taken == number
        moved = tuple(
            replace(item, guard=end.cond, guard_sense=sense) if isinstance(item, Define) else item
            for item in block.items
        )
        blocks[source.number] = replace(source, items=source.items + moved)
        blocks[number] = replace(block, items=())
        return True
    return False


def _hoistable(block: MBlock, limit: int) -> set[VReg] | None:
    """Registers that ``block`` writes if it only moves (at most ``limit`` times), else None."""
    writes: set[VReg] = set()
    for item in block.items:
        if isinstance(item, MMove):
            writes.add(item.dest)
        elif not isinstance(item, Define) or item.guard is not None:
            return None
    return writes if len(writes) <= limit else None
