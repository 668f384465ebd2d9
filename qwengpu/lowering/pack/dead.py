"""Removing operations whose result nothing needs."""

from __future__ import annotations

from dataclasses import replace

from qwengpu.isa import Op
from qwengpu.lowering.mir import Define, Item, MBlock, MMove, MOp, MSerial, VReg
from qwengpu.lowering.pack.flow import definition, end_uses, flat, liveness, uses

KEPT = frozenset({Op.LD, Op.FIT})
"""Operations that are kept for the fault that they may raise."""

UNUSED = "folded: a word of it is never used"


def remove_dead(blocks: dict[int, MBlock]) -> tuple[dict[int, MBlock], dict[tuple[int, str], str]]:
    """(blocks without dead operations, PTX definitions that can no longer be reported, with the reason).

    A definition of one word keeps the operation that computes it; one of several words does not (a high
    word that nothing reads would cost a multiplication).
    """
    unmapped: dict[tuple[int, str], str] = {}
    while True:
        _, live_out = liveness(blocks)
        changed = False
        for number, block in blocks.items():
            swept = _sweep(block, live_out[number], unmapped)
            if swept is not block:
                blocks[number] = swept
                changed = True
        if not changed:
            return blocks, unmapped


def _sweep(block: MBlock, live_out: set[VReg], unmapped: dict[tuple[int, str], str]) -> MBlock:
    live = set(live_out)
    live.update(operand for operand in end_uses(block.end) if isinstance(operand, VReg))
    reported: set[VReg] = set()
    mentions: dict[VReg, list[Define]] = {}
    kept: list[Item] = []
    lost: set[int] = set()
    for item in reversed(block.items):
        if isinstance(item, Define):
            _mention(item, reported, mentions)
        elif isinstance(item, (MOp, MMove)) and _is_dead(item, live, reported, mentions):
            for define in mentions.pop(item.dest, ()) if item.dest is not None else ():
                lost.add(id(define))
                unmapped[define.instr, define.register] = UNUSED
            continue
        else:
            for inner in reversed(list(flat((item,)))):
                if isinstance(inner, Define):
                    _mention(inner, reported, mentions)
                    continue
                dest = definition(inner)
                if dest is not None:
                    live.discard(dest)
                    reported.discard(dest)
                    mentions.pop(dest, None)
                live.update(operand for operand in uses(inner) if isinstance(operand, VReg))
        kept.append(item)
    if len(kept) == len(block.items) and not lost:
        return block
    kept.reverse()
    return replace(block, items=tuple(_without(kept, lost)))


def _mention(item: Define, reported: set[VReg], mentions: dict[VReg, list[Define]]) -> None:
    if len(item.parts) == 1 and isinstance(item.parts[0], VReg):
        reported.add(item.parts[0])
    for part in (*item.parts, item.guard):
        if isinstance(part, VReg):
            mentions.setdefault(part, []).append(item)


def _is_dead(
    item: MOp | MMove, live: set[VReg], reported: set[VReg], mentions: dict[VReg, list[Define]]
) -> bool:
    if item.dest is None or item.dest in live or item.dest in reported:
        return False
    if isinstance(item, MMove):
        return item.dest not in mentions
    return item.op not in KEPT and item.sync is None


def _without(items: list[Item], lost: set[int]) -> list[Item]:
    out: list[Item] = []
    for item in items:
        if id(item) in lost:
            continue
        if isinstance(item, MSerial) and any(id(inner) in lost for inner in item.items):
            item = replace(item, items=tuple(inner for inner in item.items if id(inner) not in lost))
        out.append(item)
    return out
