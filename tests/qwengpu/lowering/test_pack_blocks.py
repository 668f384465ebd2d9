"""What ends up in which ROM block."""

from __future__ import annotations

from dataclasses import replace

import pytest
from packing_kit import (
    ROOM,
    A,
    B,
    C,
    D,
    E,
    F,
    Row,
    atomic_add,
    define,
    function,
    load,
    lowered,
    move,
    op,
    store,
)
from packing_model import default_rows, run_program

from qwengpu.isa import EXIT, NO_MOD, Mod, NextKind, Op, Space
from qwengpu.lowering.lower import lower_mir
from qwengpu.lowering.mir import Barrier, Branch, Jump, Lit, MFunction, MOp, MSerial, MStore, MSync, Trap, VReg
from qwengpu.program import BranchEntry, Refusal, RegisterEntry, StoreEntry
from qwengpu.spec import SEED


def dot_product() -> MFunction:
    """The loop of `kernels/control/dot3.cu`: rows 16, 18, 20 are pointers, row 22 is n."""
    loop = [
        load(B, Row(16), A, 13),
        define(13, B),
        load(C, Row(18), A, 15),
        define(15, C),
        op(Op.MUL, D, C, B, instr=16),
        op(Op.ADD, E, D, E, instr=16),
        define(16, E),
        op(Op.ADD, A, A, 1, instr=17),
        define(17, A),
        op(Op.EQ, F, A, Row(22), instr=18),
    ]
    return function(
        ([move(E, 0, 7), define(7, E), op(Op.LT, F, 0, Row(22), instr=6)], Branch(F, 1, 3, 8)),
        ([move(A, E, 10), define(10, A)], Jump(2)),
        (loop, Branch(F, 3, 2, 19)),
        ([store(Row(20), E, 21)], Jump(None)),
    )


def test_a_dot_product_loop_is_one_block_with_two_live_outs() -> None:
    program = lowered(dot_product(), SEED)
    assert len(program.blocks) == 3
    guard, loop, last = program.blocks
    assert guard.outs == () and guard.next.kind is NextKind.BRANCH
    assert len(loop.outs) == 2 and loop.next.taken == 2 and loop.next.other == 1
    assert last.store is not None and last.next.taken == EXIT
    assert program.unmapped == {}
    assert program.report.registers == 2


def test_the_moves_of_an_edge_are_reported_under_the_condition_of_the_branch() -> None:
    program = lowered(dot_product(), SEED)
    entries = {e.instr: e for e in program.maps[0].entries if isinstance(e, RegisterEntry)}
    assert entries[7].guard is None
    assert entries[10].guard is not None and entries[10].guard_sense


def test_a_load_after_a_store_is_in_a_later_block() -> None:
    program = lowered(function(([store(Row(16), 7), load(A, Row(17)), store(Row(18), A, 91)], Jump(None))))
    assert len(program.blocks) == 2
    assert program.blocks[0].store is not None and not any(program.blocks[0].slots)


def test_a_load_does_not_overtake_a_store_to_another_space() -> None:
    shared = op(Op.LD, A, Row(16), mod=Mod(space=Space.SHARED))
    program = lowered(function(([store(Row(16), 7), shared, store(Row(18), A, 91)], Jump(None))))
    assert not any(program.blocks[0].slots)


def test_loads_keep_their_order() -> None:
    """The first load waits for a long computation; the second, which could go first, does not."""
    chain = [op(Op.MUL, A, Row(0), 3), *(op(Op.MUL, A, A, 5) for _ in range(4))]
    items = [*chain, load(B, A, 0, 50), load(C, Row(16), 0, 51), store(Row(18), B), store(Row(19), C, 91)]
    program = lowered(function((items, Jump(None))))
    loads = [number for number, b in enumerate(program.blocks) for s in b.slots if s and s.op is Op.LD]
    assert len(loads) == 2 and loads[0] >= 4


def test_after_a_warp_barrier_loads_follow_every_earlier_store() -> None:
    far = op(Op.LD, A, Row(16), 0, 8)
    items = [store(Row(16), 7), MSync(Lit(15), 50), far, store(Row(18), A, 91)]
    program = lowered(function((items, Jump(None))))
    assert program.blocks[0].store is not None
    loads = [i for i, b in enumerate(program.blocks) if any(s and s.op is Op.LD for s in b.slots)]
    assert loads == [1]
    assert sum(block.sync is not None for block in program.blocks) == 1


def test_two_masks_are_two_blocks() -> None:
    program = lowered(function(([MSync(Lit(15), 1), MSync(Lit(3), 2)], Jump(None))))
    assert [block.sync is not None for block in program.blocks] == [True, True]


def test_stores_keep_their_order() -> None:
    items = [store(Row(16 + k), k, 50 + k) for k in range(5)]
    program = lowered(function((items, Jump(None))))
    order = [e.instr for its in program.maps for e in its.entries if isinstance(e, StoreEntry)]
    assert order == [50, 51, 52, 53, 54]


def test_an_atomic_is_one_serial_block_that_takes_in_what_only_feeds_it() -> None:
    program = lowered(function(([load(A, Row(18)), atomic_add(Row(16), A)], Jump(None))))
    assert [block.serial for block in program.blocks] == [True]


def test_what_others_read_stays_out_of_a_serial_block() -> None:
    items = [load(A, Row(18)), atomic_add(Row(16), A), store(Row(20), A)]
    program = lowered(function((items, Jump(None))))
    assert [block.serial for block in program.blocks] == [False, True, False]


def test_a_load_before_a_store_before_an_atomic_does_not_join_it() -> None:
    items = [load(A, Row(18)), store(Row(19), 3, 70), atomic_add(Row(16), A)]
    program = lowered(function((items, Jump(None))))
    serial = [i for i, block in enumerate(program.blocks) if block.serial]
    stores = [i for i, block in enumerate(program.blocks) if block.store and not block.serial]
    assert stores < serial


def test_a_serial_block_never_jumps_backward() -> None:
    body = [atomic_add(Row(16), 1), op(Op.ADD, A, A, 1), op(Op.EQ, B, A, 3)]
    program = lowered(function(([], Jump(1)), (body, Branch(B, 2, 1, 30)), ([store(Row(20), A)], Jump(None))))
    for number, block in enumerate(program.blocks):
        if block.serial:
            ends = [block.next.taken] + [block.next.other] * (block.next.kind is NextKind.BRANCH)
            assert all(target == EXIT or target > number for target in ends)


def test_a_shuffle_never_shares_a_serial_block() -> None:
    shuffle = replace(op(Op.SHFL, A, Row(0), 1, 31, instr=3), sync=Lit(15))
    program = lowered(function(([shuffle, atomic_add(Row(16), A)], Jump(None))))
    assert [block.serial for block in program.blocks] == [False, True]


def test_a_trap_does_not_swallow_the_store_before_it() -> None:
    program = lower_mir(function(([store(Row(16), 1)], Trap(5))), ROOM)
    assert [block.next.kind for block in program.blocks] == [NextKind.JUMP, NextKind.TRAP]


def test_a_swap_needs_no_third_register() -> None:
    loop = [move(C, A), move(A, B), move(B, C), op(Op.ADD, D, D, 1), op(Op.EQ, E, D, 3)]
    program = lowered(
        function(
            ([load(A, Row(16)), load(B, Row(17))], Jump(1)),
            (loop, Branch(E, 2, 1, 9)),
            ([store(Row(18), A), store(Row(19), B, 91)], Jump(None)),
        )
    )
    assert len(program.blocks) == 4 and program.report.registers == 3


@pytest.mark.parametrize("size", [2, 3, 5, 6])
@pytest.mark.parametrize("outs", [1, 4])
def test_a_rotation_larger_than_a_block_goes_through_other_registers(size: int, outs: int) -> None:
    spec = replace(ROOM, live_outs=outs)
    regs = [VReg(10 + k) for k in range(size)]
    first = [load(reg, Row(16 + k), instr=k) for k, reg in enumerate(regs)]
    loop = [move(A, regs[0]), *(move(regs[k], regs[k + 1]) for k in range(size - 1)), move(regs[-1], A)]
    burn = [op(Op.ADD, D, D, 1), op(Op.EQ, E, D, 4)]
    last = [store(Row(16 + k), reg, 60 + k) for k, reg in enumerate(regs)]
    lowered(function((first, Jump(1)), ([*loop, *burn], Branch(E, 2, 1, 9)), (last, Jump(None))), spec)


def test_operations_move_to_the_block_that_reads_them() -> None:
    """A step of a bitwise CRC: only the masked polynomial crosses, not the shifted value."""
    loop = [
        op(Op.SHR, B, A, 1),
        op(Op.AND, C, A, 1),
        op(Op.SUB, C, 0, C),
        op(Op.AND, C, C, 0xEDB88320),
        op(Op.XOR, A, B, C),
        op(Op.ADD, D, D, 1),
        op(Op.EQ, E, D, 8),
    ]
    program = lowered(
        function(([load(A, Row(16))], Jump(1)), (loop, Branch(E, 2, 1, 9)), ([store(Row(18), A)], Jump(None)))
    )
    assert [len(block.outs) for block in program.blocks] == [1, 2, 1, 0]


def test_an_operation_that_no_slot_offers_is_refused() -> None:
    spec = replace(ROOM, levels=("aa", "ll"))
    with pytest.raises(Refusal, match="MUL does not fit one ROM block") as caught:
        lower_mir(function(([op(Op.MUL, A, Row(0), 3, instr=4), store(Row(16), A)], Jump(None))), spec)
    assert caught.value.kind == "size" and caught.value.instr == 4


def test_an_atomic_that_needs_chaining_is_refused_by_a_pipeline_without() -> None:
    spec = replace(ROOM, levels=("xlm",))
    with pytest.raises(Refusal, match="atomic operation needs more than one ROM block"):
        lower_mir(function(([atomic_add(Row(16), 1)], Jump(None))), spec)


def test_a_branch_that_reports_is_kept_even_if_both_ways_are_one() -> None:
    program = lowered(function(([], Branch(Row(0), 1, 1, 4)), ([store(Row(16), 1)], Jump(None))))
    assert any(isinstance(e, BranchEntry) for its in program.maps for e in its.entries)
    silent = lowered(function(([], Branch(Row(0), 1, 1, None)), ([store(Row(16), 1)], Jump(None))))
    assert len(silent.blocks) == 1


def test_a_jump_table_has_its_index_on_the_bus() -> None:
    items = [load(A, Row(16)), op(Op.EQ, B, A, 2)]
    end = Branch(B, 1, 2, 7, "brx.idx", True, A)
    program = lowered(function((items, end), ([store(Row(17), 1)], Jump(2)), ([], Jump(None))))
    (entry,) = [e for its in program.maps for e in its.entries if isinstance(e, BranchEntry)]
    assert entry.index is not None and entry.index.bus is not None


def test_a_barrier_ends_its_block() -> None:
    program = lowered(function(([store(Row(16), 1)], Barrier(1, 5)), ([store(Row(17), 2, 91)], Jump(None))))
    assert [block.next.kind for block in program.blocks] == [NextKind.BARRIER, NextKind.JUMP]


def test_dead_operations_go_but_one_word_definitions_stay_visible() -> None:
    high = MOp(Op.MULHU, B, Row(0), Row(1), Lit(0), NO_MOD, 3)
    unused = function(([high, op(Op.MUL, A, Row(0), Row(1), instr=3), store(Row(16), A)], Jump(None)))
    assert sum(s is not None for b in lowered(unused).blocks for s in b.slots) == 1
    seen = function(([high, define(3, B), store(Row(16), 1)], Jump(None)))
    program = lowered(seen)
    assert any(isinstance(e, RegisterEntry) and e.instr == 3 for its in program.maps for e in its.entries)


def test_constants_cross_blocks_without_a_register() -> None:
    program = lowered(function(([move(A, 5), move(B, Row(3))], Barrier(1, 5)), ([store(B, A)], Jump(None))))
    assert all(not block.outs for block in program.blocks) and program.report.registers == 0


def test_zero_is_not_written_to_a_register_that_still_holds_it() -> None:
    loop = [op(Op.ADD, A, A, 1), op(Op.EQ, B, A, 3)]
    blocks = (loop, Branch(B, 2, 1, 9)), ([store(Row(16), A)], Jump(None))
    program = lowered(function(([move(A, 0)], Branch(Row(0), 1, 1, 4)), *blocks))
    assert program.blocks[0].outs == ()
    again = lowered(function(([move(A, 0), load(A, Row(17)), move(A, 0)], Branch(Row(0), 1, 1, 4)), *blocks))
    assert len(again.blocks[0].outs) == 1
    loops = function(([], Jump(1)), ([move(A, 0), *loop], Branch(B, 1, 2, 9)), blocks[1])
    assert run_program(lowered(loops), default_rows).ended


def test_empty_atomic_bundles_are_no_issue_of_size() -> None:
    value = MStore(Row(16), Lit(0), Lit(0), Lit(3), NO_MOD, 80, "global:exch:4", 4, Lit(3))
    program = lowered(function(([MSerial((value,), 80)], Jump(None))))
    assert [block.serial for block in program.blocks] == [True]
