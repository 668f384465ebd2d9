"""Registers that hold one literal or one constant row wherever they are read: the constant is read instead."""

from __future__ import annotations

from dataclasses import replace

from qwengpu.lowering.mir import Item, Lit, MBlock, MMove, Operand, Row, VReg
from qwengpu.lowering.pack.flow import definition, flat, targets
from qwengpu.lowering.pack.rewrite import map_items, rewrite_end, rewrite_item

State = dict[VReg, Operand | None]
"""What a register holds: a `Lit` or `Row`, None if that varies or is not known; absent: not reached yet."""


def propagate_constants(blocks: dict[int, MBlock], entry: int) -> dict[int, MBlock]:
    """``blocks`` with such reads replaced. A constant costs a port but no register and no VAL token.

    A register that is read before it is written counts as varying.
    """
    candidates = _candidates(blocks)
    if not candidates:
        return {number: _rewrite_block(block, {}) for number, block in blocks.items()}
    states: dict[int, State] = {entry: dict.fromkeys(candidates)}
    todo = [entry]
    while todo:
        number = todo.pop()
        after = _transfer(blocks[number], states[number])
        for target in targets(blocks[number].end):
            if target not in states:
                states[target] = dict(after)
                todo.append(target)
            elif _meet(states[target], after):
                todo.append(target)
    return {number: _rewrite_block(block, states.get(number, {})) for number, block in blocks.items()}


def _candidates(blocks: dict[int, MBlock]) -> list[VReg]:
    """Registers that some move writes; only those can hold a constant."""
    moves = (item for block in blocks.values() for item in flat(block.items) if isinstance(item, MMove))
    return list(dict.fromkeys(move.dest for move in moves))


def _transfer(block: MBlock, state: State) -> State:
    state = dict(state)
    for item in flat(block.items):
        dest = definition(item)
        if dest is not None and dest in state:
            state[dest] = _moved(item, state)
    return state


def _moved(item: Item, state: State) -> Operand | None:
    if not isinstance(item, MMove):
        return None
    if isinstance(item.source, (Lit, Row)):
        return item.source
    return state.get(item.source)


def _meet(into: State, other: State) -> bool:
    changed = False
    for reg, value in other.items():
        if into[reg] is not None and into[reg] != value:
            into[reg] = None
            changed = True
    return changed


def _rewrite_block(block: MBlock, state: State) -> MBlock:
    """Also follows copies of registers within the block, as long as neither side is written again."""
    known: dict[VReg, Operand] = {reg: value for reg, value in state.items() if value is not None}

    def to(operand: Operand) -> Operand:
        return known.get(operand, operand) if isinstance(operand, VReg) else operand

    def each(item: Item) -> Item:
        item = rewrite_item(item, to)
        dest = definition(item)
        if dest is not None:
            known.pop(dest, None)
            for reg in [reg for reg, value in known.items() if value == dest]:
                del known[reg]
            if isinstance(item, MMove) and item.source != dest:
                known[dest] = item.source
        return item

    return replace(block, items=map_items(block.items, each), end=rewrite_end(block.end, to))
