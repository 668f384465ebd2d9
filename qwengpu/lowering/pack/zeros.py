"""Leaving out moves of zero into registers that still hold the zero they start with."""

from __future__ import annotations

from dataclasses import replace

from qwengpu.lowering.mir import Item, Lit, MBlock, MMove, VReg
from qwengpu.lowering.pack.flow import definition, flat, targets

ZERO = Lit(0)


def drop_zero_moves(blocks: dict[int, MBlock], entry: int) -> tuple[dict[int, MBlock], frozenset[VReg]]:
    """(blocks without such moves, the registers that now count on starting at zero).

    A move is left out if no path from the entry to it writes its register. The row must then be kept free
    for that register from the entry on, which liveness sees by itself: it has no definition before its use.
    """
    zeroed = {
        item.dest
        for block in blocks.values()
        for item in block.items
        if isinstance(item, MMove) and item.source == ZERO
    }
    if not zeroed:
        return blocks, frozenset()
    real: set[tuple[int, int]] = set()
    while True:
        written = _maybe_written(blocks, entry, zeroed, real)
        found = _real_sites(blocks, zeroed, real, written)
        if found == real:
            break
        real = found
    dropped: set[VReg] = set()
    out: dict[int, MBlock] = {}
    for number, block in blocks.items():
        items: list[Item] = []
        for index, item in enumerate(block.items):
            if isinstance(item, MMove) and item.source == ZERO and (number, index) not in real:
                dropped.add(item.dest)
            else:
                items.append(item)
        out[number] = replace(block, items=tuple(items))
    return out, frozenset(dropped)


def _maybe_written(
    blocks: dict[int, MBlock], entry: int, zeroed: set[VReg], real: set[tuple[int, int]]
) -> dict[int, set[VReg]]:
    """Registers of ``zeroed`` that some path to the start of a block writes (moves of zero outside ``real`` do
    not count)."""
    gen: dict[int, set[VReg]] = {}
    for number, block in blocks.items():
        gen[number] = {
            dest
            for index, item in enumerate(block.items)
            for dest in _writes(item, (number, index), real)
            if dest in zeroed
        }
    before: dict[int, set[VReg]] = {number: set() for number in blocks}
    todo = [entry, *blocks]
    while todo:
        number = todo.pop()
        after = before[number] | gen[number]
        for target in targets(blocks[number].end):
            if not after <= before[target]:
                before[target] |= after
                todo.append(target)
    return before


def _writes(item: Item, site: tuple[int, int], real: set[tuple[int, int]]) -> list[VReg]:
    if isinstance(item, MMove) and item.source == ZERO and site not in real:
        return []
    return [dest for inner in flat((item,)) if (dest := definition(inner)) is not None]


def _real_sites(
    blocks: dict[int, MBlock],
    zeroed: set[VReg],
    real: set[tuple[int, int]],
    written: dict[int, set[VReg]],
) -> set[tuple[int, int]]:
    found = set(real)
    for number, block in blocks.items():
        seen = set(written[number])
        for index, item in enumerate(block.items):
            site = (number, index)
            if isinstance(item, MMove) and item.source == ZERO and item.dest in seen:
                found.add(site)
            seen.update(dest for dest in _writes(item, site, found) if dest in zeroed)
    return found
