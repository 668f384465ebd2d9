"""The differ on small hand-made event lists: what differs first, where, and what was compared at all."""

from __future__ import annotations

from pathlib import Path

import pytest

from conformance.differ import (
    EventComparison,
    Exclusions,
    PtxLines,
    compare_events,
    compare_outcome,
    same_outcome,
    unstable,
)
from oracles.api import Buffer, Event, EventKind, Fault, FaultKind, Launch, Result, Scalar, Status

PTX = (Path(__file__).parent / "twice.ptx").read_text()
LINES = PtxLines.scan(PTX)
LAUNCH = Launch(
    "twice", (1, 2, 1), (2, 2, 1), (Buffer("int32", (0, 0)), Scalar("i32", 1), Buffer("int8", (1,)))
)

R, S, A, B = EventKind.REGISTER, EventKind.STORE, EventKind.ATOMIC, EventKind.BARRIER


def reg(thread: int, instr: int, value: int, name: str = "%r3") -> Event:
    return Event(R, thread, instr, name, value)


def store(thread: int, instr: int, value: int, address: int = 0x40000000) -> Event:
    return Event(S, thread, instr, "global:4", value, address)


def ok(events: list[Event] | None = None, definitions: dict[tuple[int, str], str] | None = None) -> Result:
    return Result(Status.OK, events=events, definitions=definitions or {}, executed=1)


def compare(
    want: list[Event], got: list[Event], exclusions: Exclusions | None = None, **why: str
) -> EventComparison:
    definitions = {(6, f"%{name}"): reason for name, reason in why.items()}
    found = compare_events(("a", "b"), (ok(want), ok(got, definitions)), LAUNCH, LINES, exclusions)
    assert found is not None
    return found


def test_equal_events_agree_and_are_counted() -> None:
    events = [reg(0, 6, 1), reg(0, 6, 2), store(0, 8, 2), reg(1, 6, 1)]
    found = compare(events, [reg(1, 6, 1), *events[:3]])  # no order between threads
    assert found.agree is True
    assert (found.registers.compared, found.registers.total) == (3, 3)
    assert (found.trace.compared, found.trace.total) == (1, 1)
    assert (found.definitions.compared, found.definitions32.compared) == (1, 1)


def test_a_wrong_register_is_named_with_its_place() -> None:
    want = [reg(5, 2, 7, "%r1"), reg(5, 6, 1), reg(5, 6, 2)]
    found = compare(want, [want[0], want[1], reg(5, 6, 3)])
    first = found.difference
    assert first is not None
    assert (first.kind, first.register, first.got, first.want) == ("register", "%r3", "3 (0x3)", "2 (0x2)")
    assert (first.leg, first.against) == ("b", "a")
    # Thread 5 of a (1, 2, 1) grid of (2, 2, 1) blocks: the second block's second thread.
    assert (first.thread, first.block, first.tid, first.step) == (5, (0, 1, 0), (1, 0, 0), 2)
    assert (first.ptx_line, first.cuda_line) == (33, 4)
    assert first.ptx_text == "add.s32 %r3, %r2, %r2;"
    assert str(first) == (
        "register %r3 of thread 5 (block (0, 1, 0), thread (1, 0, 0)), step 2, "
        "PTX line 33 `add.s32 %r3, %r2, %r2;`, CUDA line 4: b got 3 (0x3), a wants 2 (0x2)"
    )
    assert first.to_json()["text"] == str(first)


def test_the_first_difference_is_first_in_the_trusted_order() -> None:
    want = [reg(1, 6, 1), reg(0, 6, 1), store(0, 8, 1)]
    found = compare(want, [reg(1, 6, 1), store(0, 8, 9), reg(0, 6, 9)])
    assert found.difference is not None
    assert (found.difference.kind, found.difference.thread) == ("register", 0)
    found = compare(want, [reg(0, 6, 9), reg(1, 6, 9), store(0, 8, 1)])
    assert found.difference is not None
    assert found.difference.thread == 1


@pytest.mark.parametrize(
    ("got", "kind", "got_text", "want_text", "instr"),
    [
        ([reg(0, 6, 1), store(0, 8, 2)], "register", "no event", "2 (0x2)", 6),  # missing write
        (
            [reg(0, 6, 1), reg(0, 6, 2), reg(0, 6, 3), store(0, 8, 2)],
            "register",
            "3 (0x3)",
            "no event",
            6,
        ),  # one too many
        ([reg(0, 6, 1), reg(0, 6, 2), reg(0, 7, 2), store(0, 8, 2)], "register", "2 (0x2)", "no event", 7),
        ([reg(0, 6, 2), reg(0, 6, 1), store(0, 8, 2)], "register", "2 (0x2)", "1 (0x1)", 6),  # swapped
        (
            [reg(0, 6, 1), reg(0, 6, 2)],
            "trace",
            "no event",
            "store global:4 2 at 0x40000000 (instruction 8)",
            8,
        ),
        (
            [reg(0, 6, 1), reg(0, 6, 2), store(0, 8, 2, 0x40000004)],
            "trace",
            "store global:4 2 at 0x40000004 (instruction 8)",
            "store global:4 2 at 0x40000000 (instruction 8)",
            8,
        ),
        (
            [reg(0, 6, 1), reg(0, 6, 2), store(0, 8, 2), Event(B, 0, 9, "bar", 0)],
            "trace",
            "barrier bar 0 (instruction 9)",
            "no event",
            9,
        ),
    ],
)
def test_missing_extra_and_swapped_events(
    got: list[Event], kind: str, got_text: str, want_text: str, instr: int
) -> None:
    found = compare([reg(0, 6, 1), reg(0, 6, 2), store(0, 8, 2)], got)
    first = found.difference
    assert first is not None
    assert (first.kind, first.got, first.want, first.instr) == (kind, got_text, want_text, instr)
    assert found.agree is False


def test_trace_order_within_a_thread_counts() -> None:
    first, second = store(0, 8, 1), Event(B, 0, 9, "bar", 0)
    assert compare([first, second], [first, second]).agree is True
    found = compare([first, second], [second, first])
    assert found.difference is not None
    assert found.difference.step == 0


def test_unreported_definitions_are_counted_by_class_and_never_agree() -> None:
    found = compare([reg(0, 6, 1), reg(1, 6, 1)], [], r3="folded: address")
    assert found.agree is None
    assert found.difference is None
    assert (found.registers.compared, found.registers.total) == (0, 2)
    assert found.registers.excluded == {"folded": 2}
    assert found.definitions32.to_json() == {"compared": 0, "total": 1, "excluded": {"folded": 1}}
    assert found.to_json()["registers"]["agree"] is None


def test_zero_compared_registers_are_no_register_agreement() -> None:
    found = compare([store(0, 8, 1)], [store(0, 8, 1)])
    assert found.agree is True  # of the trace
    assert found.to_json()["registers"] == {"compared": 0, "total": 0, "excluded": {}, "agree": None}
    assert found.to_json()["trace"]["agree"] is True
    assert compare([], []).agree is None


def test_events_that_a_leg_does_not_report() -> None:
    assert compare_events(("a", "b"), (ok([]), ok(None)), LAUNCH, LINES) is None
    assert compare_events(("a", "b"), (ok(None), ok([])), LAUNCH, LINES) is None


def test_excluded_places_and_threads() -> None:
    want = [reg(0, 6, 1), reg(1, 6, 1), store(0, 8, 1), store(1, 8, 1), reg(0, 7, 4, "%rd5")]
    got = [reg(0, 6, 9), reg(1, 6, 9), store(0, 8, 9), store(1, 8, 9), reg(0, 7, 4, "%rd5")]
    places = frozenset({(6, "%r3"), (8, "global:4")})
    found = compare(want, got, Exclusions(places))
    assert found.agree is True
    assert found.registers.to_json() == {"compared": 1, "total": 3, "excluded": {"order dependent": 2}}
    assert found.trace.excluded == {"order dependent": 2}
    assert (found.definitions.compared, found.definitions32.compared) == (1, 0)
    found = compare(want, got, Exclusions(unspecified_threads=frozenset({0})))
    assert found.registers.excluded == {"unspecified": 2}
    assert found.difference is not None
    assert found.difference.thread == 1
    assert compare(want, got, Exclusions(unspecified_threads=None)).agree is None


def test_a_definition_counts_as_compared_if_it_is_in_any_thread() -> None:
    want = [reg(0, 6, 1), reg(1, 6, 1)]
    found = compare(want, want, Exclusions(unspecified_threads=frozenset({0})))
    assert (found.definitions.compared, found.definitions.total) == (1, 1)


def test_places_that_vary_between_orders() -> None:
    one, other = [reg(0, 6, 1), reg(0, 7, 5)], [reg(0, 6, 2), reg(0, 7, 5), store(0, 8, 1)]
    assert unstable([ok(one), ok(other)]) == {(6, "%r3"), (8, "global:4")}
    assert unstable([ok(one), ok(one)]) == frozenset()
    assert unstable([ok(one)]) == unstable([ok(one), ok(None)]) == frozenset()


def test_five_tuples_are_events_too() -> None:
    plain = [(0, 0, 6, "%r3", 1), (1, 0, 8, "global:4", 1, 0)]
    assert compare(plain, plain).agree is True  # type: ignore[arg-type]


def test_an_instruction_that_the_text_does_not_have() -> None:
    found = compare([reg(0, 99, 1)], [reg(0, 99, 2)])
    assert found.difference is not None
    assert found.difference.ptx_line is None
    assert "instruction 99" in str(found.difference)


# --------------------------------------------------------------------------------------------------
# Outcomes and memory


def ended(*buffers: tuple[int, ...] | None) -> Result:
    return Result(Status.OK, buffers, executed=1)


def fault(kind: FaultKind | None, threads: tuple[int, ...] = ()) -> Result:
    made = Fault(kind, "m", threads, 6) if kind else None
    return Result(Status.FAULT, reason="r", fault=made)


def memory(a: Result, b: Result, unspecified: dict[int, tuple[int, ...] | None] | None = None):
    return compare_outcome(("a", "b"), (a, b), LAUNCH, unspecified or {}, LINES)


def test_memory_names_argument_and_index() -> None:
    found = memory(ended((1, 2), None, (1,)), ended((1, 3), None, (1,)))
    assert found.agree is False
    assert found.difference is not None
    assert str(found.difference) == "buffer of argument 0 at index 1: b got 3, a wants 2"
    assert (found.compared, found.total) == (3, 3)
    assert memory(ended((1, 2), None, (1,)), ended((1, 2), None, (1,))).agree is True


def test_unspecified_elements_are_left_out_and_counted() -> None:
    a, b = ended((1, 2), None, (1,)), ended((1, 3), None, (2,))
    found = memory(a, b, {0: (1,), 2: None})
    assert (found.agree, found.compared, found.total) == (True, 1, 3)
    assert same_outcome(a, b, {0: (1,), 2: None})
    assert not same_outcome(a, b, {0: (1,)})
    assert not same_outcome(a, b, {2: None})
    assert memory(a, b, {0: None, 2: None}).agree is None


def test_faults_are_compared_by_kind_and_named_with_their_place() -> None:
    trap, range_ = fault(FaultKind.TRAP), fault(FaultKind.OUT_OF_RANGE, (3,))
    assert same_outcome(trap, fault(FaultKind.TRAP, (1,)), {})
    assert not same_outcome(trap, range_, {})
    assert same_outcome(trap, fault(None), {})  # a leg that cannot tell the kind
    assert same_outcome(fault(None), fault(None), {})
    found = memory(trap, range_)
    assert found.difference is not None
    assert (found.difference.kind, found.difference.thread, found.difference.ptx_line) == ("outcome", 3, 33)
    assert (found.compared, found.agree) == (0, False)
    assert memory(trap, trap).agree is None
    found = memory(ended((1, 2), None, (1,)), Result(Status.TIMEOUT, reason="100 steps"))
    assert found.difference is not None
    assert (found.difference.got, found.difference.want) == ("timeout (100 steps)", "ok")
    assert str(found.difference) == "outcome: b got timeout (100 steps), a wants ok"


# --------------------------------------------------------------------------------------------------
# Lines


def test_lines_of_ptx() -> None:
    assert LINES.entries == ["twice"]
    assert len(LINES.lines) == 12
    first, last = LINES.at(0), LINES.at(11)
    assert first is not None
    assert last is not None
    assert (first.ptx, first.text, first.cuda) == (26, "ld.param.u64 %rd1, [a];", 3)
    assert PTX.splitlines()[first.ptx - 1].split() == ["ld.param.u64", "%rd1,", "[a];"]
    assert (last.text, last.cuda) == ("ret;", 5)
    assert LINES.at(12) is LINES.at(None) is None
    assert [LINES.width(r) for r in ("%r3", "%rd1", "%p1", "x")] == [32, 64, 0, 0]


HARD = r"""
.version 6.3
// a comment; with .entry no();
.target sm_75 /* and { } ; */
.global .align 4 .b8 table[4] = {1, 2, 3, 4};
.extern .shared .align 4 .b8 dyn[];
.section .debug_str { .b8 1; }
.func (.param .b32 r) helper(.param .b32 x) ;
.visible .func  (.param .b32 r) helper(
  .param .b32 x
)
{ .reg .pred %p<2>, q; .reg .b16 %rs<3>; .reg .v2 .b32 vec;
  .loc 1 7 1
  ret;
}
.visible .entry k ( .param .u64 .ptr .align 1 name )
.maxntid 4, 1, 1
{
  .reg .b32 a, %r<2>;
L0: $L__B: mov.b64 {%r0, _}, %rd1;
  .loc 2 90 1, function_name $L__info, inlined_at 1 12 3
  @!%p1 bra L0; { .reg .b32 z; add.s32 z,
     a, a; }
  call (r), helper,
    (x);
  .pragma "nounroll";
  T: .branchtargets L0, $L__B;
  brx.idx a, T;
}
"""


def test_lines_of_hard_ptx() -> None:
    found = PtxLines.scan(HARD)
    assert found.entries == ["k"]
    assert [line.text.split()[0] for line in found.lines] == [
        "ret;",
        "mov.b64",
        "@!%p1",
        "add.s32",
        "call",
        "brx.idx",
    ]
    assert [line.cuda for line in found.lines] == [7, None, 12, 12, 12, 12]
    rows = HARD.splitlines()
    assert all(line.text.split()[0] in rows[line.ptx - 1] for line in found.lines)
    assert found.lines[3].text == "add.s32 z, a, a;"
    widths = {"%p1": 1, "q": 1, "%rs2": 16, "a": 32, "z": 32, "%r1": 32}
    assert {name: found.width(name) for name in widths} == widths


def test_text_that_is_no_ptx() -> None:
    assert PtxLines.scan("").lines == []
    assert [line.text for line in PtxLines.scan("hello").lines] == ["hello;"]
    assert PtxLines.scan(".entry").entries == []
    assert PtxLines.scan(".reg nonsense;").width("x") == 0
