"""Each check finds what it is there for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from packing_kit import A, B, C, Row, atomic_add, define, function, load, move, op, store
from packing_model import default_rows, difference
from test_pack_blocks import dot_product

from qwengpu.isa import NO_MOD, Const, LiveOut, Mod, Next, NextKind, Op, Slot, Width
from qwengpu.lowering.allocate import Allocation, allocate
from qwengpu.lowering.check import CheckError
from qwengpu.lowering.check_mir import check_mir
from qwengpu.lowering.check_pack import check_pack
from qwengpu.lowering.check_program import check_program, check_size, size_problems
from qwengpu.lowering.check_rows import check_rows
from qwengpu.lowering.lower import lower_mir
from qwengpu.lowering.mir import Branch, Define, Jump, Lit, MBlock, MSerial
from qwengpu.lowering.pack.model import PackedBlock, PackedFunction, PackedOp, Res
from qwengpu.lowering.pack.pack import pack
from qwengpu.program import BlockMap, BusValue, Program, Refusal, RegisterEntry, SizeReport
from qwengpu.spec import SEED, WIDE


def packed_with(index: int, change: Callable[[PackedBlock], PackedBlock]) -> PackedFunction:
    """The packed dot product with one block changed. Blocks: guard, loop, store."""
    packed = pack(dot_product(), SEED)
    blocks = list(packed.blocks)
    blocks[index] = change(blocks[index])
    return replace(packed, blocks=tuple(blocks))


def slot_set(slot: int, value: PackedOp | None) -> Callable[[PackedBlock], PackedBlock]:
    return lambda block: replace(
        block, slots=tuple(value if k == slot else its for k, its in enumerate(block.slots))
    )


def test_a_good_function_passes_all_checks() -> None:
    mir = dot_product()
    check_mir(mir)
    packed = pack(mir, SEED)
    check_pack(packed, SEED)
    check_rows(packed, allocate(packed, SEED))
    check_program(lower_mir(mir, SEED))


SHIFT = PackedOp(Op.SHL, Lit(1), Lit(2), Lit(0), NO_MOD, 1)
BROKEN_PACKED = {
    "SHL in slot 1, which is of kind a": (1, slot_set(1, SHIFT)),
    "slot 0 reads slot 4, which is not earlier": (1, slot_set(0, replace(SHIFT, a=Res(4)))),
    "slot 7 reads slot 0, which is not earlier": (0, slot_set(7, replace(SHIFT, op=Op.ADD, a=Res(0)))),
    "SHFL in a serial block": (
        1,
        lambda b: replace(slot_set(0, replace(SHIFT, op=Op.SHFL))(b), serial=True),
    ),
    "5 live-outs": (0, lambda b: replace(b, outs=tuple((replace(A, number=30 + k), A) for k in range(5)))),
    "5 register reads": (
        0,
        lambda b: replace(b, defines=tuple(define_of(replace(A, number=30 + k)) for k in range(5))),
    ),
    "5 constants": (1, lambda b: replace(b, outs=(*b.outs, (C, Lit(99))))),
    "a register is written twice": (1, lambda b: replace(b, outs=(*b.outs, b.outs[0]))),
    "a serial block has a member mask": (0, lambda b: replace(b, serial=True, sync=Lit(1))),
    "a store of width U8": (
        2,
        lambda b: replace(b, store=b.store and replace(b.store, mod=Mod(width=Width.U8))),
    ),
    "its store would be lost": (
        2,
        lambda b: replace(b, next=replace(b.next, kind=NextKind.TRAP)),
    ),
    "target 9 is no block": (1, lambda b: replace(b, next=replace(b.next, taken=9))),
    "which some path leaves unwritten": (
        1,
        lambda b: replace(b, outs=(*b.outs, (C, replace(A, number=77)))),
    ),
    "('store', 21, 'global:4', 0) is 1 times in the MIR": (2, lambda b: replace(b, store=None)),
    "('branch', 19, 'bra', True) is 1 times": (
        1,
        lambda b: replace(b, next=replace(b.next, event=None)),
    ),
    "the definition (13, '%r1') is neither": (1, lambda b: replace(b, defines=b.defines[1:])),
    "is never reached": (0, lambda b: replace(b, next=replace(b.next, other=1))),
}


def define_of(reg: object) -> object:
    from qwengpu.lowering.pack.model import PackedDefine  # noqa: PLC0415

    return PackedDefine(1, "%r1", 32, (reg,))  # type: ignore[arg-type]


@pytest.mark.parametrize("message", BROKEN_PACKED)
def test_packed_blocks_that_break_a_rule(message: str) -> None:
    index, change = BROKEN_PACKED[message]
    broken = packed_with(index, change)  # type: ignore[arg-type]
    if message == "is never reached":
        broken = replace(
            broken,
            blocks=(
                broken.blocks[0],
                replace(broken.blocks[1], next=replace(broken.blocks[1].next, taken=1)),
                broken.blocks[2],
            ),
        )
    with pytest.raises(CheckError) as caught:
        check_pack(broken, SEED)
    assert message in str(caught.value)


def test_rows_that_collide_are_found() -> None:
    packed = pack(dot_product(), SEED)
    rows = allocate(packed, SEED).rows
    check_rows(packed, Allocation(rows, 2))
    with pytest.raises(CheckError, match="rows: "):
        check_rows(packed, Allocation(dict.fromkeys(rows, 1), 1))
    with pytest.raises(CheckError, match="is in row 0"):
        check_rows(packed, Allocation(dict.fromkeys(rows, 0), 1))
    with pytest.raises(CheckError, match="has no row"):
        check_rows(packed, Allocation({reg: row for reg, row in rows.items() if row == 1}, 1))


BROKEN_MIR = {
    "has no block": function(),
    "its number is 3": replace(function(([], Jump(None))), blocks=(MBlock(3, (), Jump(None)),)),
    "target 4 is no block": function(([], Jump(4))),
    "literal -1 is no 32-bit word": function(
        ([op(Op.ADD, A, Row(1)), move(B, 0)], Branch(Lit(-1), None, None))
    ),
    "constant row -2": function(([move(A, Row(-2))], Jump(None))),
    "has not exactly one store": function(([MSerial((move(A, 0),), 4)], Jump(None))),
    "reads other lanes inside": function(
        ([MSerial((op(Op.SHFL, A, Row(0)), *atomic_add(Row(16), A).items), 4)], Jump(None))
    ),
    "has 64 bits in 1 words": function(([Define(1, "%rd1", 64, (A,))], Jump(None))),
    "is no operand": function(([move(A, None)], Jump(None))),  # type: ignore[arg-type]
}


@pytest.mark.parametrize("message", BROKEN_MIR)
def test_mir_that_breaks_a_rule(message: str) -> None:
    with pytest.raises(CheckError) as caught:
        check_mir(BROKEN_MIR[message])
    assert message in str(caught.value)


def program_with(index: int, **changes: object) -> Program:
    program = lower_mir(dot_product(), SEED)
    blocks = list(program.blocks)
    blocks[index] = replace(blocks[index], **changes)  # type: ignore[arg-type]
    return replace(program, blocks=tuple(blocks))


def maps_with(index: int, its: BlockMap) -> Program:
    program = lower_mir(dot_product(), SEED)
    maps = list(program.maps)
    maps[index] = its
    return replace(program, maps=tuple(maps))


ADD_LATE = (Slot(Op.ADD, 13),) + (None,) * 7
BROKEN_PROGRAMS = {
    "more ports than": lambda: program_with(0, consts=tuple(Const(k) for k in range(5))),
    "reads a row that": lambda: program_with(2, reads=(16,)),
    "does not offer LD": lambda: program_with(0, slots=(Slot(Op.LD), *(None,) * 7)),
    "slot 0 reads what is not on the bus": lambda: program_with(0, slots=ADD_LATE),
    "live-outs": lambda: program_with(0, outs=(LiveOut(1, 0), LiveOut(1, 0))),
    "writes a row that": lambda: program_with(0, outs=(LiveOut(0, 0),)),
    "is not on the bus": lambda: program_with(0, outs=(LiveOut(1, 4),)),
    "a target is no block": lambda: program_with(0, next=Next(NextKind.JUMP, 7)),
    "a barrier leads out": lambda: program_with(0, next=Next(NextKind.BARRIER)),
    "0 store entries": lambda: maps_with(2, BlockMap()),
    "its map has 1 slots": lambda: maps_with(0, BlockMap(slots=(3,))),
    "an instruction to an empty slot": lambda: maps_with(2, BlockMap(slots=(3,) * 8)),
    "not one map a block": lambda: replace(lower_mir(dot_product(), SEED), maps=()),
    "is reported and unmapped": lambda: replace(
        lower_mir(dot_product(), SEED), unmapped={(13, "%r1"): "folded"}
    ),
}


@pytest.mark.parametrize("message", BROKEN_PROGRAMS)
def test_programs_that_break_a_rule(message: str) -> None:
    with pytest.raises(CheckError) as caught:
        check_program(BROKEN_PROGRAMS[message]())
    assert message in str(caught.value)


def test_a_map_that_names_an_idle_bus_entry_is_found() -> None:
    program = lower_mir(dot_product(), SEED)
    entry = RegisterEntry(13, "%r1", 32, (BusValue(9),))
    maps = (replace(program.maps[0], entries=(entry,)), *program.maps[1:])
    with pytest.raises(CheckError, match="names bus entry 9"):
        check_program(replace(program, maps=maps))


def test_dropping_a_live_out_is_seen_by_the_comparison() -> None:
    """The negative control of the random tests."""
    mir = dot_product()
    program = lower_mir(mir, SEED)
    assert difference(mir, program, default_rows) is None
    for kept in program.blocks[1].outs:
        assert difference(mir, program_with(1, outs=(kept,)), default_rows) is not None


def test_a_swapped_operand_is_seen_by_the_comparison() -> None:
    mir = function(
        ([load(A, Row(16)), op(Op.SUB, B, A, 3, instr=1), define(1, B), store(Row(17), 1)], Jump(None))
    )
    program = lower_mir(mir, SEED)
    (block,) = program.blocks
    swapped = tuple(replace(s, a=s.b, b=s.a) if s is not None and s.op is Op.SUB else s for s in block.slots)
    broken = replace(program, blocks=(replace(block, slots=swapped),))
    assert difference(mir, broken, default_rows) is not None


def report(**changes: int) -> SizeReport:
    return replace(SizeReport(3, 4, 2, 0, 0, 10, 12), **changes)


def test_sizes_are_refused_with_both_numbers_and_a_remedy() -> None:
    check_size(report(), "k", SEED)
    with pytest.raises(Refusal) as caught:
        check_size(report(blocks=41), "k", SEED)
    assert str(caught.value) == "kernel k needs 41 ROM blocks, spec seed has 32; use --spec wide"
    assert caught.value.kind == "size"
    with pytest.raises(Refusal, match="17 registers, spec seed has 15; make the kernel smaller"):
        check_size(report(registers=17), "k", SEED)
    assert len(size_problems(report(blocks=999, registers=20, param_words=99, shared_bytes=9999), WIDE)) == 4
    words = report(shared_bytes=500, symbol_bytes=8)
    assert size_problems(words, SEED) == ["127 words of shared memory and module variables, spec seed has 126"]


def test_a_kernel_with_too_many_blocks_is_counted_in_full() -> None:
    mir = function(([store(Row(16), k, 100 + k) for k in range(40)], Jump(None)))
    with pytest.raises(Refusal, match="needs 40 ROM blocks, spec seed has 32; use --spec wide"):
        lower_mir(mir, SEED)
