"""Divergence, barriers, exited threads, serial blocks, thread blocks, the step limit; traces token by token."""

from __future__ import annotations

from dataclasses import replace

import pytest
from reference_kit import Consumer, launch_ids, make_program, pointer_params, run_ids, run_program

from oracles.reference.machine import Machine
from oracles.reference.prompt import PromptError
from oracles.reference.trace import Trace
from qwengpu.program import Program
from qwengpu.spec import SEED, WIDE, Spec
from qwengpu.tokens import FaultCode, Kind, vocabulary


def text_of(trace: Trace, spec: Spec = SEED) -> str:
    return vocabulary(spec).text(trace.tokens)


def test_lanes_diverge_and_meet_again() -> None:
    """The lowest block runs first; at the join all lanes run together."""
    program = make_program(
        [
            "const C0=tid.x C1=#1\nT0: and C0, C1\nnext if T0 -> 2 else 1",
            "const C0=#10\nout r1=C0\nnext 3",
            "const C0=#-20\nout r1=C0\nnext 3",
            "read R0=r1\nconst C0=tid.x\nT0: add R0, C0\nout r2=T0\nnext exit",
        ]
    )
    trace = run_program(program, block=(4, 1, 1))
    assert text_of(trace) == (
        "EXEC(0,0) MASK(0,5) EXEC(1,0) VAL(0,4,10) MASK(0,10) EXEC(2,0) VAL(0,4,236) "
        "MASK(0,15) EXEC(3,0) VAL(0,0,10) VAL(0,1,237) VAL(0,2,12) VAL(0,3,239) HALT"
    )
    assert [rows[2] for rows in trace.registers[:4]] == [10, 2**32 - 19, 12, 2**32 - 17]


def test_values_are_written_once_if_all_lanes_agree_and_digit_by_digit() -> None:
    program = make_program(["const C0=#300 C1=#0x40000000 C2=tid.x\nout r1=C0 r2=C1 r3=C2\nnext exit"])
    assert text_of(run_program(program, block=(2, 1, 1))) == (
        "EXEC(0,0) BYTE(1) VAL(0,4,44) BYTE(64) BYTE(0) BYTE(0) VAL(1,4,0) VAL(2,0,0) VAL(2,1,1) HALT"
    )


@pytest.mark.parametrize(
    ("address", "data", "tokens"),
    [
        ("[C0 + C1<<2]", "C1", "ADDR(0,0) MEM(0,0) MEM(1,1) MEM(2,2)"),
        ("[C0 + C1<<2 + C2]", "C3", "ADDR(0,1) BYTE(1) MEM(0,0) BYTE(1) MEM(1,0) BYTE(1) MEM(2,0)"),
        ("[C0 + C1<<3]", "C1", "ADDR(0,0) MEM(0,0) ADDR(0,1) MEM(1,1) ADDR(0,2) MEM(2,2)"),
        ("[C0]", "C1", "ADDR(0,0) MEM(0,0) ADDR(0,127) MEM(1,1) ADDR(0,126) MEM(2,2)"),
    ],
)
def test_stores(address: str, data: str, tokens: str) -> None:
    text = f"const C0=param0 C1=tid.x C2=#4 C3=#256\nstore.global.word {address} = {data}\nnext exit"
    program = make_program([text], pointer_params(1))
    assert text_of(run_program(program, [0] * 8, block=(3, 1, 1))) == f"EXEC(0,0) {tokens} HALT"


def test_an_address_holds_while_words_follow_the_lanes() -> None:
    """Lanes 1 and 3 store to words 0 and 1: they are two lanes but one word apart."""
    program = make_program(
        [
            "const C0=tid.x C1=#1\nT0: and C0, C1\nnext if T0 -> 1 else exit",
            "const C0=param0 C1=tid.x C2=#1\nT0: shr C1, C2\nstore.global.word [C0 + T0<<2] = C1\nnext exit",
        ],
        pointer_params(1),
    )
    trace = run_program(program, [0, 0], block=(4, 1, 1))
    assert text_of(trace) == "EXEC(0,0) MASK(0,10) EXEC(1,0) ADDR(0,127) MEM(1,1) ADDR(0,126) MEM(3,3) HALT"


def test_outs_can_swap_registers_and_the_last_out_to_a_row_remains() -> None:
    program = make_program(
        [
            "const C0=#1 C1=#2\nout r1=C0 r2=C1\nnext 1",
            "read R0=r1 R1=r2\nout r1=R1 r2=R0 r3=R0 r3=R1\nnext exit",
        ]
    )
    assert run_program(program).registers[0][1:4] == (2, 1, 2)


def test_warps_take_turns() -> None:
    program = make_program(["out r1=0\nnext 1", "next exit"])
    trace = run_program(program, block=(9, 1, 1))
    execs = [t for t in text_of(trace).split() if t.startswith("EXEC")]
    assert execs == ["EXEC(0,0)", "EXEC(0,1)", "EXEC(0,2)", "EXEC(1,0)", "EXEC(1,1)", "EXEC(1,2)"]


def test_a_barrier_waits_for_every_warp() -> None:
    program = make_program(
        [
            "const C0=tid.x\nstore.shared.word [0 + C0<<2] = C0\nnext barrier -> 1",
            "const C0=#7 C1=tid.x\nT1: sub C0, C1\nT2: ld.shared.word [0 + T1<<2]\nout r1=T2\nnext exit",
        ],
        shared_bytes=32,
    )
    trace = run_program(program, block=(8, 1, 1))
    assert [rows[1] for rows in trace.registers[:8]] == [7, 6, 5, 4, 3, 2, 1, 0]
    without = replace(program, blocks=(make_program(["next 1"]).blocks[0], program.blocks[1]))
    assert [rows[1] for rows in run_program(without, block=(8, 1, 1)).registers[:8]] == [0] * 8


BARRIER_LOOP = [
    "const C0=tid.x C1=#1\nT0: and C0, C1\nnext if T0 -> 1 else 3",
    "next barrier -> 2",
    "const C0=#5\nout r1=C0\nnext exit",
]


def test_a_barrier_does_not_wait_for_exited_threads() -> None:
    program = make_program([*BARRIER_LOOP, "next exit"])
    trace = run_program(program, block=(8, 1, 1))
    assert trace.fault is None
    assert [rows[1] for rows in trace.registers[:8]] == [0, 5] * 4


def test_a_barrier_is_released_when_the_last_other_thread_exits() -> None:
    """Warp 1 leaves long after warp 0 began to wait."""
    program = make_program(
        [
            "const C0=warpid\nnext if C0 -> 2 else 1",
            "next barrier -> 5",
            "const C0=#3\nout r1=C0\nnext 3",
            "read R0=r1\nconst C0=#1\nT0: sub R0, C0\nout r1=T0\nnext if T0 -> 3 else 4",
            "read R0=r1\nT0: eq R0, 0\nnext if T0 -> exit else 3",
            "const C0=#9\nout r1=C0\nnext exit",
        ]
    )
    trace = run_program(program, block=(8, 1, 1))
    assert trace.fault is None and trace.stopped is None
    assert [rows[1] for rows in trace.registers[:8]] == [9] * 4 + [0] * 4


def test_two_barriers_of_one_warp_are_a_fault_of_the_arriving_lanes() -> None:
    program = make_program([*BARRIER_LOOP, "next barrier -> 2"])
    trace = run_program(program, block=(4, 1, 1))
    assert (trace.fault.code, trace.fault.block, trace.fault.lanes) == (FaultCode.BARRIER, 3, (0, 2))
    assert text_of(trace).endswith("MASK(0,5) EXEC(3,0) FAULT(5,5) HALT")


def test_different_warps_may_wait_at_different_barriers() -> None:
    program = make_program(
        [
            "const C0=warpid\nnext if C0 -> 2 else 1",
            "next barrier -> 3",
            "next barrier -> 3",
            "const C0=#4\nout r1=C0\nnext exit",
        ]
    )
    trace = run_program(program, block=(8, 1, 1))
    assert [rows[1] for rows in trace.registers[:8]] == [4] * 8


def test_lanes_may_come_to_one_barrier_one_after_the_other() -> None:
    program = make_program(["serial\nnext barrier -> 1", "const C0=#4\nout r1=C0\nnext exit"])
    trace = run_program(program, block=(3, 1, 1))
    assert text_of(trace) == (
        "MASK(0,1) EXEC(0,0) MASK(0,2) EXEC(0,0) MASK(0,4) EXEC(0,0) RELEASE "
        "MASK(0,7) EXEC(1,0) VAL(0,4,4) HALT"
    )


def test_a_barrier_in_front_of_the_exit() -> None:
    assert (
        text_of(run_program(make_program(["next barrier -> exit"]), block=(8, 1, 1)))
        == "EXEC(0,0) EXEC(0,1) HALT"
    )


def test_serial_blocks_make_atomics() -> None:
    text = """\
serial
const C0=param0 C1=tid.x
T2: ld.global.word [C0]
T4: add T2, C1
out r1=T2
store.global.word [C0] = T4
next exit"""
    trace = run_program(make_program([text], pointer_params(1)), [100], block=(6, 1, 1))
    assert trace.memory[0] == 115
    assert (trace.execs, trace.executed, trace.operations) == (6, 6, 12)
    olds = [rows[1] for rows in trace.registers[:6]]
    # Warps take turns: lanes 0, 4, 1, 5, 2, 3.
    assert olds == [100, 104, 110, 112, 100, 105]


def _grid_program() -> Program:
    return make_program(
        [
            "const C0=ctaid.x C1=ctaid.y C2=ctaid.z C3=nctaid.x\nT4: mul C1, C3, C0\nout r1=T4 r2=C2\nnext 1",
            "read R0=r1 R1=r2 R2=r9\nconst C0=#4 C1=param0\nT4: mul R1, C0, R0\n"
            "T2: ld.shared.word [0]\nT6: add T2, R2\nT7: add T4, 0\n"
            "out r9=C0 r3=T6 r4=T7\nnext 2",
            "read R0=r4 R1=r3\nconst C0=param0 C1=#77\nT1: add R1, C1\n"
            "store.global.word [C0 + R0<<2] = T1\nnext 3",
            "const C0=#55\nstore.shared.word [0] = C0\nnext exit",
        ],
        pointer_params(1),
        shared_bytes=4,
    )


def test_thread_blocks_run_one_after_another_and_share_nothing() -> None:
    """Eight thread blocks; each finds registers and shared memory zero."""
    trace = run_program(_grid_program(), [0] * 8, grid=(2, 2, 2))
    assert trace.memory[:8] == (77,) * 8
    starts = text_of(trace).split("START ")[1:]
    changes = [start.split(" EXEC")[0] for start in starts]
    assert changes == [
        "CONST(6) SET(1)",
        "CONST(6) SET(0) CONST(7) SET(1)",
        "CONST(6) SET(1)",
        "CONST(6) SET(0) CONST(7) SET(0) CONST(8) SET(1)",
        "CONST(6) SET(1)",
        "CONST(6) SET(0) CONST(7) SET(1)",
        "CONST(6) SET(1)",
    ]
    assert text_of(trace).count("HALT") == 1 and trace.shared[0] == 55


def test_masks_survive_a_thread_block() -> None:
    program = make_program(["const C0=tid.x\nnext if C0 -> 1 else exit", "out r1=0\nnext exit"])
    trace = run_program(program, block=(2, 1, 1), grid=(2, 1, 1))
    assert text_of(trace) == (
        "EXEC(0,0) MASK(0,2) EXEC(1,0) VAL(0,4,0) "
        "START CONST(6) SET(1) MASK(0,3) EXEC(0,0) MASK(0,2) EXEC(1,0) VAL(0,4,0) HALT"
    )


def test_a_fault_ends_the_whole_grid() -> None:
    program = make_program(["const C0=ctaid.x\nT0: fit C0, C0\nnext exit"])
    trace = run_program(program, grid=(5, 1, 1))
    assert trace.fault.cta == 1 and trace.execs == 2
    assert text_of(trace) == "EXEC(0,0) START CONST(6) SET(1) EXEC(0,0) FAULT(1,1) HALT"


def test_the_step_limit_stops_without_a_token() -> None:
    program = make_program(["next 1", "out r1=0\nnext 1"])
    trace = run_program(program, block=(5, 1, 1), step_limit=3)
    assert trace.stopped is not None and trace.fault is None
    assert (trace.stopped.block, trace.stopped.steps, trace.stopped.warp) == (1, 3, 0)
    assert not text_of(trace).endswith("HALT")
    done = make_program(["next 1", "next 2", "next exit"])
    assert run_program(done, step_limit=3, grid=(4, 1, 1)).stopped is None, "it counts per thread block"
    assert run_program(done, step_limit=2).stopped is not None


def test_wired_rows_and_threads_of_all_shapes() -> None:
    program = make_program(
        ["const C0=laneid C1=warpid C2=tid.y C3=tid.z\nout r1=C0 r2=C1 r3=C2 r4=C3\nnext exit"], spec=WIDE
    )
    trace = run_program(program, block=(3, 2, 4))
    for thread in range(24):
        expected = (thread % 4, thread // 4, thread // 3 % 2, thread // 6)
        assert trace.registers[thread][1:5] == expected


def test_other_specs_run_the_same_way() -> None:
    odd = Spec("odd", lanes=2, registers=8, warps=2, blocks=4, memory_words=9, const_rows=19, payload_bits=5)
    text = "const C0=param0 C1=tid.x C2=#1000\nT4: mul C1, C2\nstore.global.word [C0 + C1<<2] = T4\nnext exit"
    program = make_program([text], pointer_params(1), spec=odd)
    trace = run_program(program, [0] * 3, block=(3, 1, 1))
    assert trace.memory[:3] == (0, 1000, 2000)
    assert text_of(trace, odd) == (
        "EXEC(0,0) ADDR(0,0) MEM(0,0) BYTE(0) BYTE(31) MEM(1,8) "
        "EXEC(0,1) ADDR(0,2) BYTE(1) BYTE(30) MEM(0,16) HALT"
    )


# ---- prompts


def test_a_prompt_may_come_in_pieces_and_again() -> None:
    first = launch_ids(
        make_program(["const C0=param0 C1=#5\nstore.global.word [C0] = C1\nnext exit"], pointer_params(1)),
        [[1, 2]],
    )
    second = launch_ids(make_program(["next exit"]), block=(2, 1, 1))
    machine = Machine(SEED)
    with pytest.raises(ValueError, match="has no LAUNCH yet"):
        machine.run()
    for token in first:
        machine.feed([token])
    assert machine.run().memory[:2] == (5, 2)
    machine.feed(second)
    trace = machine.run()
    assert set(trace.memory) == {0}, "nothing survives from one launch to the next"
    assert trace == run_ids_plain(second)


def run_ids_plain(ids: list[int]) -> Trace:
    machine = Machine(SEED)
    machine.feed(ids)
    return machine.run()


@pytest.mark.parametrize(
    ("tokens", "message"),
    [
        ("RESET EXEC(0,0)", r"EXEC\(0,0\) has no place in a prompt"),
        ("RESET LAUNCH SET(1)", r"SET\(1\) follows LAUNCH; a new prompt starts with RESET"),
    ],
)
def test_ids_that_are_no_prompt(tokens: str, message: str) -> None:
    with pytest.raises(PromptError, match=message):
        Machine(SEED).feed(vocabulary(SEED).parse(tokens))
    with pytest.raises(PromptError, match="token id 99999"):
        Machine(SEED).feed([99999])


def test_a_prompt_writes_shared_memory_and_offsets_too() -> None:
    ids = launch_ids(
        make_program(["T2: ld.shared.word [C0]\nconst C0=#8\nout r1=T2\nnext exit"], shared_bytes=12)
    )
    ids[-1:] = vocabulary(SEED).parse("ADDR(1,1) BYTE(1) MEM(1,2) LAUNCH")
    assert run_ids(SEED, ids).registers[0][1] == 258


def test_a_second_reader_notices_a_changed_token() -> None:
    """Negative control of the comparison in `run_ids`."""
    program = make_program(["const C0=tid.x\nout r1=C0\nnext exit"])
    ids = launch_ids(program, block=(2, 1, 1))
    trace = run_ids(SEED, ids)
    consumer = Consumer(SEED)
    vocab = vocabulary(SEED)
    changed = [vocab.id(Kind.VAL, 0, 1, 9) if vocab.token(t).args == (0, 1, 1) else t for t in trace.tokens]
    assert changed != list(trace.tokens)
    consumer.read(ids)
    consumer.read(changed)
    assert consumer.registers != [list(rows) for rows in trace.registers]
