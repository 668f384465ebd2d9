"""Replacing the operands of MIR items."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from qwengpu.lowering.mir import (
    Branch,
    Define,
    Item,
    MMove,
    MOp,
    MSerial,
    MStore,
    MSync,
    Operand,
    Terminator,
)

Substitution = Callable[[Operand], Operand]


def rewrite_op(op: MOp, to: Substitution) -> MOp:
    """``op`` with its operands replaced; the same object if nothing changes."""
    a, b, c = to(op.a), to(op.b), to(op.c)
    sync = None if op.sync is None else to(op.sync)
    if a is op.a and b is op.b and c is op.c and sync is op.sync:
        return op
    return replace(op, a=a, b=b, c=c, sync=sync)


def rewrite_store(store: MStore, to: Substitution) -> MStore:
    """``store`` with its operands replaced."""
    return replace(
        store,
        a=to(store.a),
        b=to(store.b),
        c=to(store.c),
        data=to(store.data),
        value=to(store.value),
    )


def rewrite_define(item: Define, to: Substitution) -> Define:
    """``item`` with its parts and guard replaced."""
    parts = tuple(map(to, item.parts))
    guard = None if item.guard is None else to(item.guard)
    return replace(item, parts=parts, guard=guard)


def rewrite_item(item: Item, to: Substitution) -> Item:
    """Any item but an `MSerial` (whose items are rewritten one by one) with its operands replaced."""
    if isinstance(item, MOp):
        return rewrite_op(item, to)
    if isinstance(item, Define):
        return rewrite_define(item, to)
    if isinstance(item, MMove):
        source = to(item.source)
        return item if source is item.source else replace(item, source=source)
    if isinstance(item, MStore):
        return rewrite_store(item, to)
    if isinstance(item, MSync):
        return replace(item, mask=to(item.mask))
    raise TypeError(f"{type(item).__name__} is no single item")


def map_items(items: tuple[Item, ...], each: Callable[[Item], Item]) -> tuple[Item, ...]:
    """``each`` applied in order to every item, also to those inside an `MSerial`."""
    out: list[Item] = []
    for item in items:
        if isinstance(item, MSerial):
            inner = tuple(each(part) for part in item.items)
            out.append(replace(item, items=inner))  # type: ignore[arg-type]
        else:
            out.append(each(item))
    return tuple(out)


def rewrite_end(end: Terminator, to: Substitution) -> Terminator:
    """``end`` with the operands of a branch replaced."""
    if not isinstance(end, Branch):
        return end
    cond = to(end.cond)
    index = None if end.index is None else to(end.index)
    return end if cond is end.cond and index is end.index else replace(end, cond=cond, index=index)
