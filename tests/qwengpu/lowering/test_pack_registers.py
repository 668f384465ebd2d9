"""Rows: coalescing, pressure, refusals."""

from __future__ import annotations

import pytest
from packing_kit import ROOM, A, B, C, D, Row, function, load, lowered, move, op, store

from qwengpu.isa import Op
from qwengpu.lowering.lower import lower_mir
from qwengpu.lowering.mir import Barrier, Branch, Item, Jump, VReg
from qwengpu.program import Refusal


def test_a_copy_that_does_not_interfere_costs_nothing() -> None:
    program = lowered(
        function(
            ([load(A, Row(16))], Barrier(1, 4)),
            ([move(B, A)], Barrier(2, 5)),
            ([store(Row(17), B)], Jump(None)),
        )
    )
    assert [len(block.outs) for block in program.blocks] == [1, 0, 0]
    assert program.report.registers == 1


def test_a_block_that_only_copies_disappears() -> None:
    program = lowered(
        function(
            ([load(A, Row(16)), op(Op.LT, C, A, 3)], Branch(C, 1, 3, 8)),
            ([move(B, A)], Jump(2)),
            ([op(Op.ADD, B, B, 1), op(Op.EQ, D, B, 60)], Branch(D, 3, 2, 9)),
            ([store(Row(17), A)], Jump(None)),
        )
    )
    assert len(program.blocks) == 3


def many_sums(count: int) -> list[Item]:
    """``count`` cheap values of two loads that are all needed twice, far apart."""
    first: list[Item] = [load(A, Row(16)), load(B, Row(17))]
    sums = [VReg(100 + k) for k in range(count)]
    first += [op(Op.XOR, reg, A, k * 3 + 1) for k, reg in enumerate(sums)]
    total: list[Item] = [move(C, 0)]
    for reg in (*sums, *reversed(sums)):
        total += [op(Op.MUL, D, C, 31, reg), move(C, D)]
    return [*first, *total, store(Row(18), C)]


def test_values_are_computed_again_where_registers_are_short() -> None:
    program = lowered(function((many_sums(30), Jump(None))))
    assert program.report.registers <= ROOM.registers - 1


def test_stores_are_interleaved_with_what_they_store_where_registers_are_short() -> None:
    items: list[Item] = []
    for k in range(24):
        reg = VReg(100 + k)
        items.append(op(Op.MUL, reg, Row(k), k))
        items += [op(Op.XOR, reg, reg, Row(step)) for step in range(1, 6)]
    items += [store(Row(17), VReg(100 + k), 60 + k, 4 * k) for k in range(24)]
    program = lowered(function((items, Jump(None))))
    assert program.report.registers <= ROOM.registers - 1


def test_too_many_live_values_are_refused_with_both_numbers() -> None:
    loads: list[Item] = [load(VReg(100 + k), Row(16), k) for k in range(20)]
    stores: list[Item] = [store(Row(17), VReg(100 + k), 60 + k) for k in range(20)]
    mir = function((loads, Barrier(1, 4)), (stores, Jump(None)))
    with pytest.raises(Refusal, match="20 registers, spec room has 15") as caught:
        lower_mir(mir, ROOM)
    assert caught.value.kind == "size"
