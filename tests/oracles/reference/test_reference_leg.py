"""The leg: arguments, results, events through the value map, faults in PTX terms; hand-made programs."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from reference_kit import make_program

from oracles.api import (
    Buffer,
    Event,
    EventKind,
    FaultKind,
    Launch,
    Module,
    Options,
    Oracle,
    Report,
    Result,
    Scalar,
    Status,
)
from oracles.reference import oracle
from oracles.reference.leg import ReferenceOracle, entries
from qwengpu.isa import bus_const, bus_slot
from qwengpu.program import (
    BarrierEntry,
    BlockMap,
    BranchEntry,
    BusValue,
    Param,
    Program,
    Refusal,
    RegisterEntry,
    StoreEntry,
)
from qwengpu.spec import SEED, Spec
from qwengpu.tokens import vocabulary

MODULE = Module("// .entry none\n.visible .entry k(\n) { ret; }\n.entry other() { ret; }", "hand-made")
BASE = 0x4000_0000


def T(slot: int) -> BusValue:
    return BusValue(bus_slot(SEED, slot))


def C(port: int) -> BusValue:
    return BusValue(bus_const(SEED, port))


POINTER = Param("p", 8, 16, 2, True)
COUNT = Param("n", 4, 18, 1, False)

SCALED = make_program(
    [
        "const C0=param0 C1=tid.x C2=param2\nT2: ld.global.word [C0 + C1<<2]\nT4: mul T2, C2\n"
        "store.global.word [C0 + C1<<2] = T4\nnext exit"
    ],
    params=(POINTER, COUNT),
    maps=[
        BlockMap(
            (
                RegisterEntry(3, "%r1", 32, (C(1),)),
                RegisterEntry(5, "%r2", 32, (T(2),)),
                RegisterEntry(6, "%r3", 32, (T(4),)),
                RegisterEntry(7, "%rd1", 64, (C(0), BusValue(literal=0))),
                RegisterEntry(8, "%p1", 1, (C(1),)),
                RegisterEntry(9, "%r9", 32, (C(1),), guard=C(1), guard_sense=True),
                StoreEntry(10, "global:4", 4, T(4)),
            ),
            (4, 9),
            (2,),
        )
    ],
    unmapped={(4, "%rd2"): "folded: address"},
)


def leg(program: Program | Exception) -> ReferenceOracle:
    def lower(ptx: str, kernel: str | None, spec: Spec) -> Program:
        if isinstance(program, Exception):
            raise program
        return program

    return ReferenceOracle(lower)


def scaled(
    threads: int = 3, *args: object, options: Options | None = None, program: Program = SCALED
) -> Result:
    args = args or (Buffer("int32", (1, -2, 3)), Scalar("i32", 10))
    launch = Launch("k", (1, 1, 1), (threads, 1, 1), args)  # type: ignore[arg-type]
    return leg(program).run(MODULE, launch, options or Options(events=True))


def test_the_entry_point_gives_an_oracle() -> None:
    found = oracle()
    assert isinstance(found, Oracle) and found.name == "reference" and found.available() is None
    assert {Report.MEMORY, Report.TOKENS, Report.REGISTERS} <= found.reports
    product = found.product(Options(spec="wide"))
    name, _, rest = product.partition("@")
    assert name == "reference-wide" and rest.count("-") == 2


def test_a_run_that_ends() -> None:
    result = scaled()
    assert (result.status, result.reason, result.fault) == (Status.OK, "", None)
    assert result.buffers == ((10, -20, 30), None)
    assert result.definitions == {(4, "%rd2"): "folded: address"}
    assert result.executed == 3 and result.seconds > 0
    assert result.notes["execs"] == 1 and result.notes["rom_blocks"] == 1
    text = vocabulary(SEED).text(result.tokens)
    assert text == "EXEC(0,0) ADDR(0,0) MEM(0,10) MEM(1,236) MEM(2,30) HALT"
    assert result.notes["tokens"] == 6 and result.notes["prompt_tokens"] > 30


def test_events_of_a_thread() -> None:
    events = scaled().events
    assert [event[:1] + event[2:] for event in events if event.thread == 1] == [
        (EventKind.REGISTER, 3, "%r1", 1, 0),
        (EventKind.REGISTER, 5, "%r2", 2**32 - 2, 0),
        (EventKind.REGISTER, 6, "%r3", 2**32 - 20, 0),
        (EventKind.REGISTER, 7, "%rd1", BASE, 0),
        (EventKind.REGISTER, 8, "%p1", 1, 0),
        (EventKind.REGISTER, 9, "%r9", 1, 0),
        (EventKind.STORE, 10, "global:4", 2**32 - 20, BASE + 4),
    ]
    assert [event.thread for event in events if event.name == "%r9"] == [1], "guard false: no event"
    assert all(isinstance(event, Event) for event in events)


def test_without_events_the_rest_is_the_same() -> None:
    with_events, without = scaled(), scaled(options=Options())
    assert without.events is None
    assert (with_events.tokens, with_events.buffers) == (without.tokens, without.buffers)


def test_threads_are_grid_wide_and_divergence_has_branch_events() -> None:
    program = make_program(
        [
            "const C0=tid.x C1=#1\nT0: and C0, C1\nnext if T0 -> 1 else 2",
            "next barrier -> exit",
            "next exit",
        ],
        maps=[
            BlockMap((BranchEntry(1, "bra", sense=False), BranchEntry(2, "brx.idx", index=C(0)))),
            BlockMap((BarrierEntry(4, 0),)),
            BlockMap(),
        ],
    )
    launch = Launch("k", (3, 1, 1), (5, 1, 1))
    events = leg(program).run(MODULE, launch, Options(events=True)).events
    branches = sorted(event[1:] for event in events if event.kind == EventKind.BRANCH and event.name == "bra")
    assert branches == [(t, 1, "bra", 1 - t % 5 % 2, 0) for t in range(15)]
    jumps = {event.thread: event.value for event in events if event.name == "brx.idx"}
    assert jumps == {t: t % 5 for t in range(15)}
    barriers = sorted(event[1:] for event in events if event.kind == EventKind.BARRIER)
    assert barriers == [(t, 4, "bar", 0, 0) for t in range(15) if t % 5 % 2]


def test_wide_and_narrow_stores_and_atomics() -> None:
    program = make_program(
        [
            "const C0=param0 C1=#0x11223344\nstore.global.word [C0] = C1\nnext 1",
            "const C0=param0 C1=#-2 C2=#4\nstore.global.word [C0 + C2] = C1\nnext 2",
            "const C0=param0 C1=#0x1ab C2=#9\nT2: ld.global.word_of_8 [C0 + C2]\nT6: ins.u8 T2, C1, C2\n"
            "store.global.word_of_8 [C0 + C2] = T6\nnext 3",
            "serial\nconst C0=#5\nstore.shared.word [0] = C0\nnext exit",
        ],
        params=(POINTER,),
        maps=[
            BlockMap((StoreEntry(2, "global:8", 8, C(1), 0, 2),)),
            BlockMap((StoreEntry(2, "global:8", 8, C(1), 1, 2),)),
            BlockMap((StoreEntry(3, "global:1", 1, C(1)),)),
            BlockMap((StoreEntry(4, "shared:exch:4", 4, C(0)),)),
        ],
        shared_bytes=4,
    )
    launch = Launch("k", (1, 1, 1), (1, 1, 1), (Buffer("uint8", tuple(range(12))),))
    result = leg(program).run(MODULE, launch, Options(events=True))
    assert [tuple(event) for event in result.events] == [
        (EventKind.STORE, 0, 2, "global:8", 0xFFFFFFFE11223344, BASE),
        (EventKind.STORE, 0, 3, "global:1", 0xAB, BASE + 9),
        (EventKind.ATOMIC, 0, 4, "shared:exch:4", 5, 0),
    ]
    assert result.buffers == ((0x44, 0x33, 0x22, 0x11, 254, 255, 255, 255, 8, 0xAB, 10, 11),)


# ---- bad input


@pytest.mark.parametrize(
    ("args", "message"),
    [
        ((Scalar("i32", 1),), "kernel k takes 2 arguments, not 1"),
        (
            (Scalar("i32", 1), Scalar("i32", 1)),
            r"argument 0 of kernel k \(p\): the scalar i32 is given for a pointer; give a buffer",
        ),
        (
            (Buffer("int32", (1,)), Buffer("int32", (1,))),
            r"argument 1 of kernel k \(n\): a buffer is given for a scalar of 4 bytes",
        ),
        (
            (Buffer("int32", (1,)), Scalar("i64", 1)),
            r"argument 1 of kernel k \(n\): the scalar i64 has 8 bytes, the parameter 4",
        ),
    ],
)
def test_arguments_that_do_not_fit(args: tuple[object, ...], message: str) -> None:
    result = scaled(1, *args)
    assert result.status is Status.BAD_INPUT
    with pytest.raises(AssertionError, match=message):
        raise AssertionError(result.reason)


def test_a_parameter_of_unknown_kind_takes_both() -> None:
    program = replace(SCALED, params=(replace(POINTER, pointer=None), COUNT))
    assert scaled(program=program).status is Status.OK
    as_number = scaled(3, Scalar("u64", BASE), Scalar("i32", 2), program=program)
    assert as_number.status is Status.FAULT, "there is no memory behind the number"


def test_a_missing_kernel_lists_those_there_are() -> None:
    result = leg(SCALED).run(MODULE, Launch("nope", (1, 1, 1), (1, 1, 1)), Options())
    assert (result.status, result.reason) == (Status.BAD_INPUT, "no kernel 'nope'; the module has: k, other")
    assert entries("/* .entry a( */ .func f() .entry $b_1(") == ["$b_1"]


def test_an_unknown_spec() -> None:
    result = scaled(options=Options(spec="huge"))
    assert result.status is Status.BAD_INPUT and "no machine spec 'huge'" in result.reason


@pytest.mark.parametrize("kind", ["unsupported", "size"])
def test_refusals_are_unsupported(kind: str) -> None:
    result = leg(Refusal("fma.rn.f32 at line 3: no floating point", kind=kind)).run(
        MODULE, Launch("k", (1, 1, 1), (1, 1, 1)), Options()
    )
    assert (result.status, result.notes) == (Status.UNSUPPORTED, {"refusal": kind})
    assert result.reason.startswith("fma.rn.f32 at line 3")


def test_a_launch_too_large_is_unsupported() -> None:
    result = scaled(17)
    assert result.status is Status.UNSUPPORTED and "17 threads, spec seed has room for 16" in result.reason


def test_an_error_of_the_lowering_is_a_harness_error() -> None:
    result = leg(KeyError("slot")).run(MODULE, Launch("k", (1, 1, 1), (1, 1, 1)), Options())
    assert (result.status, result.reason) == (Status.HARNESS_ERROR, "KeyError: 'slot'")


def test_programs_are_lowered_once() -> None:
    calls = []

    def lower(ptx: str, kernel: str | None, spec: Spec) -> Program:
        calls.append((kernel, spec.name))
        return SCALED

    cached = ReferenceOracle(lower)
    launch = Launch("k", (1, 1, 1), (1, 1, 1), (Buffer("int32", (1, 2, 3)), Scalar("i32", 10)))
    for _ in range(3):
        assert cached.run(MODULE, launch, Options()).status is Status.OK
    assert calls == [("k", "seed")]


# ---- faults and limits


def test_an_address_out_of_range_names_thread_instruction_and_address() -> None:
    result = scaled(5)
    assert result.status is Status.FAULT
    fault = result.fault
    assert (fault.kind, fault.threads, fault.instr, fault.address) == (
        FaultKind.OUT_OF_RANGE,
        (3,),
        5,
        BASE + 12,
    )
    assert (
        result.reason
        == fault.message
        == ("out_of_range: address 0x4000000c thread 3 at block 0, PTX lines 4-9, CUDA line 2")
    )
    assert vocabulary(SEED).text(result.tokens) == "EXEC(0,0) FAULT(2,8) HALT"


FAULTS = {
    "store": (
        "const C0=param0 C1=tid.x C2=#1\nT0: shl C1, C2\nstore.global.word [C0 + T0<<0] = C1\nnext exit",
        (RegisterEntry(1, "%r1", 32, (C(1),)), StoreEntry(2, "global:4", 4, C(1))),
        (FaultKind.MISALIGNED, (1, 3), 2, BASE + 2),
    ),
    "the store's address comes from a load": (
        "const C0=param0 C1=tid.x\nT2: ld.global.word [C0 + C1<<3]\n"
        "store.global.word [C0 + T2<<2] = C1\nnext exit",
        (StoreEntry(2, "global:4", 4, C(1)),),
        (FaultKind.OUT_OF_RANGE, (2, 3), 2, BASE + 16),
    ),
    "a load behind a conversion": (
        "const C0=param0 C1=tid.x\nT2: ld.global.word [C0 + C1<<3]\nT5: add T2, C1\nnext exit",
        (RegisterEntry(9, "%r1", 32, (BusValue(literal=3),)), RegisterEntry(4, "%r4", 32, (T(5),))),
        (FaultKind.OUT_OF_RANGE, (2, 3), 4, BASE + 16),
    ),
    "a load without an entry": (
        "const C0=param0 C1=tid.x\nT2: ld.global.word [C0 + C1<<3]\nnext exit",
        (),
        (FaultKind.OUT_OF_RANGE, (2, 3), None, BASE + 16),
    ),
    "trap": ("next trap", (), (FaultKind.TRAP, (0, 1, 2, 3), None, None)),
}


@pytest.mark.parametrize("name", FAULTS)
def test_faults(name: str) -> None:
    text, map_entries, expected = FAULTS[name]
    program = make_program([text], params=(POINTER,), maps=[BlockMap(map_entries)])
    launch = Launch("k", (1, 1, 1), (4, 1, 1), (Buffer("int32", (0, 0, 0, 0)),))
    result = leg(program).run(MODULE, launch, Options())
    fault = result.fault
    assert result.status is Status.FAULT
    assert (fault.kind, fault.threads, fault.instr, fault.address) == expected


@pytest.mark.parametrize(
    ("text", "its", "instr"),
    [
        ("const C0=param0 C1=tid.x\nT2: ld.global.word [C0 + C1<<3]\nnext exit", {"slots": (None, None, 6)}, 6),
        ("next trap", {"end": 8}, 8),
    ],
)
def test_faults_that_no_entry_names(text: str, its: dict[str, Any], instr: int) -> None:
    if "slots" in its:
        its = {"slots": its["slots"] + (None,) * (len(SEED.slot_kinds) - 3)}
    program = make_program([text], params=(POINTER,), maps=[BlockMap(**its)])
    launch = Launch("k", (1, 1, 1), (4, 1, 1), (Buffer("int32", (0, 0, 0, 0)),))
    fault = leg(program).run(MODULE, launch, Options()).fault
    assert fault is not None and fault.instr == instr


def test_a_divergent_barrier_names_its_instruction() -> None:
    program = make_program(
        ["const C0=tid.x\nnext if C0 -> 1 else 2", "next barrier -> 3", "next barrier -> 3", "next exit"],
        maps=[
            BlockMap(),
            BlockMap((BarrierEntry(3),)),
            BlockMap((BranchEntry(7, "bra"), BarrierEntry(8))),
            BlockMap(),
        ],
    )
    result = leg(program).run(MODULE, Launch("k", (1, 1, 1), (2, 1, 1)), Options())
    assert (result.fault.kind, result.fault.instr, result.fault.threads) == (FaultKind.BARRIER, 8, (0,))


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("const C0=#1\nT0: fit C0, C0\nnext exit", "a pointer left the machine's 32-bit window: threads 4, 5"),
        ("sync 0\nnext exit", "needs lanes that are not there together: threads 4, 5"),
    ],
)
def test_what_the_machine_cannot_do_is_unsupported(text: str, part: str) -> None:
    blocks = ["const C0=ctaid.x\nnext if C0 -> 1 else exit", text]
    result = leg(make_program(blocks)).run(MODULE, Launch("k", (3, 1, 1), (4, 1, 1)), Options())
    assert result.status is Status.UNSUPPORTED and result.fault is None
    assert part in result.reason and "\n" not in result.reason


def test_an_illegal_block_of_a_program_beyond_its_maps() -> None:
    program = make_program(["next 7"])
    result = leg(program).run(MODULE, Launch("k", (1, 1, 1), (1, 1, 1)), Options(events=True))
    assert (result.fault.kind, result.fault.instr) == (FaultKind.ILLEGAL, None)
    assert result.reason == "illegal: thread 0 at block 7"


def test_the_step_limit_says_where() -> None:
    program = make_program(["next 1", "next 1"], maps=[BlockMap(), BlockMap((), (7,), (3, 4))])
    result = leg(program).run(MODULE, Launch("k", (1, 1, 1), (5, 1, 1)), Options(step_limit=10))
    assert result.status is Status.TIMEOUT
    assert result.reason.startswith(
        "step limit: the warp of thread 0 was at block 1, PTX line 7, CUDA lines 3-4 after 10 EXECs; "
        "if the kernel ends, raise step_limit in the case, or --step-limit"
    )


def test_schedules_and_warp_sizes_do_not_apply() -> None:
    assert scaled(options=Options(events=True, schedule=7, warp_size=32)).tokens == scaled().tokens
