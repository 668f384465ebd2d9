"""What makes a block illegal (docs/machine.md, section 3), as one wire."""

from __future__ import annotations

from collections.abc import Iterator

from qwengpu.circuits import Circuit, Linear, Wire, form, number, row_select, total
from qwengpu.encode import INS_WIDTHS, STORE_WIDTHS, bus_size
from qwengpu.gpu.digits import Terms, gated_step
from qwengpu.gpu.features import index_bits
from qwengpu.gpu.rom import Fields
from qwengpu.isa import Op, Width, bus_slot
from qwengpu.spec import Spec

WIDTH_BITS = 3


def make_legality(c: Circuit, spec: Spec, block: Fields) -> Wire:
    """1 if the block is illegal: two levels."""
    with c.scope("illegal"):
        wires = [c.bit(terms, name) for name, terms in _faults(spec, block) if terms]
        found = total((1 - block.flag("valid"), *wires))
        return c.bit(gated_step(found, 1), "any")


def _faults(spec: Spec, block: Fields) -> Iterator[tuple[str, Terms]]:
    yield from _slot_faults(spec, block)
    bus = bus_size(spec)
    for port in range(spec.const_ports):
        value = block[f"const{port}.value"]
        index = index_bits(spec.const_rows)
        row = number(value[:index]) + total(value[index:]) * (1 << index)
        yield f"const{port}", gated_step(row, spec.const_rows, block.flag(f"const{port}.row"))
    for out in range(spec.live_outs):
        used = block.flag(f"out{out}.used")
        yield f"out{out}.row", [(1, row_select(block[f"out{out}.row"], 0, used), 1)]
        yield f"out{out}.source", gated_step(number(block[f"out{out}.source"]), bus, used)
        if out:
            yield f"out{out}.order", [(1, form(used) - block.flag(f"out{out - 1}.used"), 1)]
    store = block.flag("store.used")
    for operand in ("a", "b", "c", "data"):
        yield f"store.{operand}", gated_step(number(block[f"store.{operand}"]), bus, store)
    yield "store.width", _not_in(block["store.width"], STORE_WIDTHS, store)
    yield "sync", gated_step(number(block["sync"]), bus, block.flag("sync.used"))
    yield "cond", gated_step(number(block["next.cond"]), bus)
    for target in ("taken", "other"):
        yield target, gated_step(number(block[f"next.{target}"]), spec.blocks + 1)


def _slot_faults(spec: Spec, block: Fields) -> Iterator[tuple[str, Terms]]:
    """Operations that a slot does not offer, their widths, operands that are no earlier bus entry."""
    for slot, (kind, level) in enumerate(zip(spec.slot_kinds, spec.slot_levels, strict=True)):
        op = block[f"slot{slot}.op"]
        offered = [one.code for one in Op if kind in one.kinds]
        yield f"slot{slot}.op", [(1, 1, 1), *((-1, row_select(op, code), 1) for code in (0, *offered))]
        limit = bus_slot(spec, spec.slot_levels.index(level))
        for operand in "abc":
            index = number(block[f"slot{slot}.{operand}"])
            idle = gated_step(index, limit, 1 - total(op), -1)
            yield f"slot{slot}.{operand}", [*gated_step(index, limit), *idle]
        width = block[f"slot{slot}.width"]
        if kind == "l":
            yield f"slot{slot}.width", _not_in(width, tuple(Width), row_select(op, Op.LD.code))
        elif kind == "x":
            yield f"slot{slot}.width", _not_in(width, INS_WIDTHS, row_select(op, Op.INS.code))


def _not_in(width: tuple[Wire, ...], allowed: tuple[Width, ...], on: Linear) -> Terms:
    """[on, and the width's number is none of the allowed]; ``on`` is 1, or 0 and less."""
    wrong = [number_ for number_ in range(1 << WIDTH_BITS) if number_ not in allowed]
    return [(1, row_select(width, value, on), 1) for value in wrong]
