"""Natural loops of the control-flow graph."""

from __future__ import annotations

from qwengpu.lowering.mir import MBlock
from qwengpu.lowering.pack.flow import predecessors, targets


def loop_depths(blocks: dict[int, MBlock], entry: int) -> dict[int, int]:
    """In how many loops each block is. A back edge goes to the same or a lower number (layout order).

    The body of a loop are the blocks from which its back edges are reached without passing its header.
    Irreducible graphs give some answer; it only steers heuristics.
    """
    preds = predecessors(blocks)
    bodies: dict[int, set[int]] = {}
    for number, block in blocks.items():
        for target in targets(block.end):
            if target <= number:
                bodies.setdefault(target, {target}).update(_body(preds, number, target))
    depths = dict.fromkeys(blocks, 0)
    for body in bodies.values():
        for number in body:
            depths[number] += 1
    return depths


def _body(preds: dict[int, list[int]], latch: int, header: int) -> set[int]:
    body = {header}
    todo = [latch]
    while todo:
        number = todo.pop()
        if number not in body:
            body.add(number)
            todo.extend(preds[number])
    return body
