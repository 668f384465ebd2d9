"""Removing what allocation made superfluous: copies within a row, and the blocks that they empty."""

from __future__ import annotations

from dataclasses import replace

from qwengpu.isa import NextKind
from qwengpu.lowering.allocate import Allocation, successors
from qwengpu.lowering.mir import Lit, VReg
from qwengpu.lowering.pack.model import PackedBlock, PackedDefine, PackedFunction, PackedNext, Source
from qwengpu.lowering.pack.straighten import THREADED
from qwengpu.spec import Spec


def tidy(function: PackedFunction, allocation: Allocation, spec: Spec) -> PackedFunction:
    """``function`` without copies of a row to itself, and without blocks that do nothing but jump forward.

    Definitions that such a block reports go to its predecessors, or are given up with a reason.
    """
    rows = allocation.rows
    blocks: dict[int, PackedBlock] = {
        index: replace(block, outs=_needed_outs(block, rows)) for index, block in enumerate(function.blocks)
    }
    unmapped = dict(function.unmapped)
    for index in sorted(blocks):
        if index and _idle(blocks[index]) and _forward(blocks[index].next, index):
            _thread(blocks, index, rows, spec, unmapped)
    for index, block in blocks.items():
        end = block.next
        if end.kind is NextKind.BRANCH and end.taken == end.other and end.instr is None:
            blocks[index] = replace(block, next=PackedNext(taken=end.taken))
    return replace(function, blocks=_renumbered(blocks), unmapped=unmapped)


def _needed_outs(block: PackedBlock, rows: dict[VReg, int]) -> tuple[tuple[VReg, Source], ...]:
    out: dict[int, tuple[VReg, Source]] = {}
    for reg, source in block.outs:
        if not (isinstance(source, VReg) and rows[source] == rows[reg]):
            out.setdefault(rows[reg], (reg, source))
    return tuple(out.values())


def _idle(block: PackedBlock) -> bool:
    return (
        not block.outs
        and block.store is None
        and block.sync is None
        and block.next.kind is NextKind.JUMP
        and not any(block.slots)
    )


def _forward(end: PackedNext, index: int) -> bool:
    return end.taken is None or end.taken > index


def _thread(
    blocks: dict[int, PackedBlock],
    index: int,
    rows: dict[VReg, int],
    spec: Spec,
    unmapped: dict[tuple[int, str], str],
) -> None:
    block = blocks[index]
    target = block.next.taken
    preds = [number for number, other in blocks.items() if index in successors(other)]
    if target is None and any(blocks[number].next.kind is NextKind.BARRIER for number in preds):
        return
    for define in block.defines:
        moved = {number: _seen_from(define, blocks[number], index, rows) for number in preds}
        fits = {
            number: replace(blocks[number], defines=(*blocks[number].defines, seen))
            for number, seen in moved.items()
            if seen is not None
        }
        if len(fits) == len(preds) and all(_ports_fit(each, rows, spec) for each in fits.values()):
            blocks.update(fits)
        else:
            unmapped[define.instr, define.register] = THREADED
    for number in preds:
        end = blocks[number].next
        taken = target if end.taken == index else end.taken
        other = target if end.other == index else end.other
        instrs = tuple(sorted({*blocks[number].instrs, *block.instrs}))
        blocks[number] = replace(blocks[number], next=replace(end, taken=taken, other=other), instrs=instrs)
    del blocks[index]


def _seen_from(
    define: PackedDefine, source: PackedBlock, index: int, rows: dict[VReg, int]
) -> PackedDefine | None:
    """``define`` of the idle block ``index`` as its predecessor ``source`` sees it at its end."""
    written = {rows[reg]: its for reg, its in source.outs}

    def at_end(word: Source) -> Source:
        return written.get(rows[word], word) if isinstance(word, VReg) else word

    end = source.next
    guard = None if define.guard is None else at_end(define.guard)
    sense = define.guard_sense
    if end.kind is NextKind.BRANCH and end.taken != end.other:
        if guard is not None:
            return None
        guard, sense = end.cond, end.taken == index
    elif end.kind is not NextKind.JUMP:
        return None
    return replace(define, parts=tuple(map(at_end, define.parts)), guard=guard, guard_sense=sense)


def _ports_fit(block: PackedBlock, rows: dict[VReg, int], spec: Spec) -> bool:
    words = set(block.sources())
    for define in block.defines:
        words.update(part for part in (*define.parts, define.guard) if part is not None)
    reads = {rows[word] for word in words if isinstance(word, VReg)}
    needed = set(block.sources())
    consts = {
        word
        for word in words
        if not hasattr(word, "slot")
        and not isinstance(word, VReg)
        and (not isinstance(word, Lit) or (word.value and word in needed))
    }
    return len(reads) <= spec.read_ports and len(consts) <= spec.const_ports


def _renumbered(blocks: dict[int, PackedBlock]) -> tuple[PackedBlock, ...]:
    place = {old: new for new, old in enumerate(sorted(blocks))}
    out: list[PackedBlock] = []
    for old in sorted(blocks):
        end = blocks[old].next
        taken = None if end.taken is None else place[end.taken]
        other = None if end.other is None else place[end.other]
        out.append(replace(blocks[old], next=replace(end, taken=taken, other=other)))
    return tuple(out)
