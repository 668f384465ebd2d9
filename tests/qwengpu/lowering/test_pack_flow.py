"""Straightening the control-flow graph, and what it must not touch."""

from __future__ import annotations

from packing_kit import A, B, C, Row, define, function, load, lowered, move, op, store

from qwengpu.isa import Op
from qwengpu.lowering.mir import Branch, Jump, Lit, MBlock, MFunction, MSync
from qwengpu.lowering.pack.constants import propagate_constants
from qwengpu.lowering.pack.loops import loop_depths
from qwengpu.lowering.pack.straighten import straighten


def straightened(mir: MFunction, hoist: int = 4) -> tuple[dict[int, MBlock], dict[tuple[int, str], str]]:
    return straighten({block.number: block for block in mir.blocks}, 0, hoist)


def test_straight_lines_are_merged_and_unreachable_blocks_removed() -> None:
    mir = function(([move(A, 1)], Jump(1)), ([store(Row(16), A)], Jump(None)), ([], Jump(1)))
    blocks, _ = straightened(mir)
    assert list(blocks) == [0] and len(blocks[0].items) == 2


def far_merge(*more: MSync) -> MFunction:
    """Block 1 goes to block 3, which has no other predecessor; block 2 lies between them."""
    return function(
        ([load(A, Row(16))], Branch(A, 1, 2, 1)),
        ([load(B, Row(20))], Jump(3)),
        ([store(Row(17), 1)], Branch(A, 2, 4, 2)),
        ([*more, store(Row(18), B, 91)], Jump(4)),
        ([store(Row(19), 2, 92)], Jump(None)),
    )


def test_blocks_apart_are_merged_only_if_nothing_depends_on_who_is_together() -> None:
    assert list(straightened(far_merge())[0]) == [0, 1, 2, 4]
    assert list(straightened(far_merge(MSync(Lit(15), 7)))[0]) == [0, 1, 2, 3, 4]


def test_the_gathering_block_of_a_loop_stays() -> None:
    """Lanes of one iteration meet in block 3 before they go back together."""
    mir = function(
        ([load(A, Row(16))], Jump(1)),
        ([op(Op.ADD, A, A, 1)], Branch(A, 2, 3, 1)),
        ([store(Row(17), A)], Branch(Row(1), 3, 4, 2)),
        ([], Jump(1)),
        ([], Jump(None)),
    )
    assert 3 in straightened(mir)[0]


def test_an_empty_block_that_jumps_forward_is_threaded_and_its_definition_moves() -> None:
    mir = function(
        ([load(A, Row(16), instr=1)], Branch(A, 1, 2, 2)),
        ([define(3, A)], Jump(3)),
        ([store(Row(17), A)], Jump(3)),
        ([store(Row(18), A, 91)], Jump(None)),
    )
    blocks, unmapped = straightened(mir)
    assert list(blocks) == [0, 2, 3] and unmapped == {}
    assert any(getattr(item, "instr", None) == 3 for item in blocks[0].items)
    lowered(mir)


def test_a_guarded_definition_of_a_threaded_block_is_given_up_with_a_reason() -> None:
    mir = function(
        ([load(A, Row(16), instr=1), load(B, Row(17), instr=1)], Branch(A, 1, 2, 2)),
        ([define(3, A, guard=B)], Jump(2)),
        ([store(Row(18), A, 91)], Jump(None)),
    )
    _, unmapped = straightened(mir)
    assert unmapped == {(3, "%r0"): "fused: the block that defines it has no operation of its own"}


def exit_edge(live: bool) -> MFunction:
    """A move on the way out of the branch in block 0; ``live``: the other way reads its register."""
    other = [store(Row(17), B if live else Row(3))]
    return function(
        ([load(A, Row(16)), load(B, Row(19))], Branch(A, 1, 2, 2)),
        ([move(B, A)], Jump(3)),
        (other, Jump(3)),
        ([store(Row(18), B, 91)], Jump(None)),
    )


def test_moves_of_an_edge_are_hoisted_unless_the_other_way_needs_the_register() -> None:
    # Block 3 reads the register on both ways, so it must not be changed for the other one.
    assert 1 in straightened(exit_edge(True))[0]
    assert 1 in straightened(exit_edge(False))[0]
    mir = function(
        ([load(A, Row(16))], Branch(A, 1, 2, 2)),
        ([move(B, A)], Jump(2)),
        ([move(B, 3), store(Row(18), B, 91)], Jump(None)),
    )
    assert 1 not in straightened(mir)[0]
    assert 1 in straightened(mir, hoist=0)[0]


def test_moves_are_not_hoisted_into_a_loop() -> None:
    mir = function(
        ([load(A, Row(16))], Jump(1)),
        ([op(Op.ADD, A, A, 1), op(Op.EQ, C, A, 9)], Branch(C, 2, 1, 2)),
        ([move(B, A)], Jump(3)),
        ([store(Row(18), B, 91)], Branch(Row(1), 3, 4, 5)),
        ([], Jump(None)),
    )
    assert 2 in straightened(mir)[0]


def test_loop_depths() -> None:
    mir = function(
        ([], Jump(1)),
        ([], Jump(2)),
        ([], Branch(A, 2, 3)),
        ([], Branch(B, 1, 4)),
        ([], Jump(None)),
    )
    assert loop_depths({b.number: b for b in mir.blocks}, 0) == {0: 0, 1: 1, 2: 2, 3: 1, 4: 0}


def test_constants_that_differ_on_two_ways_are_not_propagated() -> None:
    def joined(second: int) -> object:
        mir = function(
            ([move(A, 5)], Branch(Row(0), 1, 2, 1)),
            ([move(A, second)], Jump(2)),
            ([store(Row(16), A)], Jump(None)),
        )
        blocks = propagate_constants({b.number: b for b in mir.blocks}, 0)
        return blocks[2].items[0].data  # type: ignore[union-attr]

    assert joined(5) == Lit(5)
    assert joined(6) == A


def test_a_copy_is_followed_only_until_its_source_changes() -> None:
    mir = function(
        (
            [load(A, Row(16)), move(B, A), store(Row(17), B), load(A, Row(18)), store(Row(19), B, 91)],
            Jump(None),
        )
    )
    first, second = (propagate_constants({0: mir.blocks[0]}, 0)[0].items[k] for k in (2, 4))
    assert first.data == A and second.data == B  # type: ignore[union-attr]
    lowered(mir)
