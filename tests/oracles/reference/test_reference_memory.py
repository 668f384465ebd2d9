"""Loads, stores and every fault: what is reported, for whom, and that nothing else happens."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reference_kit import launch_ids, make_program, pointer_params, run_ids, run_program

from oracles.reference.machine import Machine
from oracles.reference.trace import Trace
from qwengpu.isa import ConstRow
from qwengpu.spec import SEED
from qwengpu.tokens import FaultCode, Kind, vocabulary

BASE = 0x4000_0000
DATA = bytes([0x80, 0x01, 0xFF, 0x7F, 0x00, 0xFE, 0x12, 0x90])
WORDS = [int.from_bytes(DATA[i : i + 4], "little") for i in (0, 4)]
SIZES = {"word": 4, "u8": 1, "s8": 1, "u16": 2, "s16": 2, "word_of_8": 1, "word_of_16": 2}


def load(width: str, offset: int, align: str = "") -> Trace:
    program = make_program(
        [f"const C0=param0 C1=#{offset}\nT2: ld.global.{width}{align} [C0 + C1]\nout r1=T2\nnext exit"],
        pointer_params(1),
    )
    return run_program(program, WORDS)


@pytest.mark.parametrize("width", SIZES)
@pytest.mark.parametrize("offset", range(-5, 12))
def test_load(width: str, offset: int) -> None:
    size = SIZES[width]
    trace = load(width, offset)
    if offset < 0 or offset + size > 8:
        assert trace.fault.code is FaultCode.OUT_OF_RANGE
        assert trace.fault.details[0].address == BASE + offset
    elif offset % size:
        assert trace.fault.code is FaultCode.MISALIGNED
    else:
        whole = offset // 4 * 4
        expected = {
            "u": int.from_bytes(DATA[offset : offset + size], "little"),
            "s": int.from_bytes(DATA[offset : offset + size], "little", signed=True) % 2**32,
            "w": int.from_bytes(DATA[whole : whole + 4], "little"),
        }[width[0]]
        assert trace.fault is None and trace.registers[0][1] == expected


@pytest.mark.parametrize(("align", "fits"), [(2, True), (4, True), (8, False), (128, False)])
def test_stricter_alignment(align: int, fits: bool) -> None:
    trace = load("word", 4, f".align{align}")
    assert (trace.fault is None) == fits
    assert fits or trace.fault.code is FaultCode.MISALIGNED
    assert load("word", 0, f".align{align}").fault is None


@pytest.mark.parametrize("width", ["word", "word_of_8", "word_of_16"])
@pytest.mark.parametrize("offset", range(-2, 10))
def test_store(width: str, offset: int) -> None:
    program = make_program(
        [f"const C0=param0 C1=#{offset} C2=#0x12345678\nstore.global.{width} [C0 + C1] = C2\nnext exit"],
        pointer_params(1),
    )
    trace = run_program(program, WORDS)
    size = SIZES[width]
    expected = list(WORDS)
    if offset < 0 or offset + size > 8:
        assert trace.fault.code is FaultCode.OUT_OF_RANGE
    elif offset % size:
        assert trace.fault.code is FaultCode.MISALIGNED
    else:
        assert trace.fault is None
        expected[offset // 4] = 0x12345678
    assert list(trace.memory[:2]) == expected


@given(st.integers(0, 2**32 - 1), st.integers(0, 3), st.booleans(), st.integers(-16, 16))
@settings(max_examples=150, deadline=None)
def test_effective_addresses_are_unbounded(index: int, scale: int, extended: bool, offset: int) -> None:
    text = "sext(C1)" if extended else "C1"
    program = make_program(
        [
            f"const C0=param0 C1=param2 C2=#{offset}\nT2: ld.global.u8 [C0 + {text}<<{scale} + C2]\n"
            "out r1=T2\nnext exit"
        ],
        pointer_params(1, 1),
    )
    trace = run_program(program, WORDS, scalars=[index])
    value = index - 2**32 if extended and index >= 2**31 else index
    address = value * 2**scale + offset
    if 0 <= address < 8:
        assert trace.registers[0][1] == DATA[address]
    else:
        assert trace.fault.code is FaultCode.OUT_OF_RANGE
        assert trace.fault.details[0].address == BASE + address


def test_shared_memory_has_its_own_addresses_and_bounds() -> None:
    texts = [
        "const C0=tid.x C1=#7\nT1: add C0, C1\nstore.shared.word [0 + C0<<2] = T1\nnext 1",
        "const C0=tid.x C1=param0\nT2: ld.shared.word [C1 + C0<<2]\nout r1=T2\nnext exit",
    ]
    program = make_program(texts, pointer_params(0, 1), shared_bytes=4)
    trace = run_program(program, scalars=[0], block=(3, 1, 1), shared_bytes=8)
    assert [rows[1] for rows in trace.registers[:3]] == [7, 8, 9]
    assert trace.shared[:4] == (7, 8, 9, 0)
    trace = run_program(program, scalars=[4], block=(3, 1, 1), shared_bytes=8)
    assert (trace.fault.code, trace.fault.lanes) == (FaultCode.OUT_OF_RANGE, (2,))
    trace = run_program(program, scalars=[BASE], block=(3, 1, 1), shared_bytes=8)
    assert (trace.fault.code, trace.fault.lanes) == (FaultCode.OUT_OF_RANGE, (0, 1, 2))


def test_the_last_bytes_of_a_space_are_exact() -> None:
    program = make_program(["T2: ld.shared.u8 [C0 + C1]\nconst C0=#5\nout r1=T2\nnext exit"], shared_bytes=6)
    assert run_program(program).fault is None
    program = make_program(["T2: ld.shared.word [C0]\nconst C0=#4\nout r1=T2\nnext exit"], shared_bytes=6)
    assert run_program(program).fault.code is FaultCode.OUT_OF_RANGE


def test_the_highest_lane_wins_a_word() -> None:
    text = "const C0=param0 C1=tid.x\nstore.global.word [C0] = C1\nnext exit"
    assert run_program(make_program([text], pointer_params(1)), [9, 9], block=(4, 1, 1)).memory[:2] == (3, 9)


def test_memory_is_read_as_it_was_before() -> None:
    """All lanes load their neighbour's word before any stores its own."""
    text = """\
const C0=param0 C1=tid.x C2=#1 C3=#3
T1: add C1, C2
T2: ld.global.word [C0 + C1<<2 + C2]
store.global.word [C0 + C1<<2] = T2
next exit"""
    text = text.replace("C2=#1", "C2=#4").replace("T1: add C1, C2\n", "")
    trace = run_program(make_program([text], pointer_params(1)), [10, 11, 12, 13, 14], block=(4, 1, 1))
    assert trace.memory[:5] == (11, 12, 13, 14, 14)


# ---- faults

LANES = "const C0=param0 C1=tid.x C2=param2 C3=#0x80000000\n"

FAULTS = {
    "trap": (LANES + "next trap", FaultCode.TRAP, (0, 1, 2, 3)),
    "one lane out of range": (
        LANES + "T2: ld.global.word [C0 + C1<<2]\nnext exit",
        FaultCode.OUT_OF_RANGE,
        (2, 3),
    ),
    "fault precedes trap": (
        LANES + "T2: ld.global.word [C0 + C1<<2]\nnext trap",
        FaultCode.OUT_OF_RANGE,
        (2, 3),
    ),
    "pointer precedes range": (
        LANES + "T0: lea [C0 + C1<<3 + C3]\nT2: ld.global.word [C1]\nnext exit",
        FaultCode.POINTER,
        (0, 1, 2, 3),
    ),
    "range precedes misaligned": (
        LANES + "T2: ld.global.word [C0 + C1<<2]\nT3: ld.global.word [C0 + C1<<0]\nnext exit",
        FaultCode.OUT_OF_RANGE,
        (2, 3),
    ),
    "misaligned only": (LANES + "T3: ld.global.u16 [C0 + C1<<0]\nnext exit", FaultCode.MISALIGNED, (1, 3)),
    "misaligned precedes sync": (
        LANES + "sync 0\nT3: ld.global.u16 [C0 + C1<<0]\nnext exit",
        FaultCode.MISALIGNED,
        (1, 3),
    ),
    "sync without itself": (LANES + "sync C2\nnext exit", FaultCode.CONVERGENCE, (0, 2)),
    "a load precedes a pointer of a later level": (
        LANES + "T2: ld.global.word [C0 + C1<<2]\nT5: fit C1, C1\nstore.global.word [C0] = 0\nnext exit",
        FaultCode.OUT_OF_RANGE,
        (2, 3),
    ),
    "a load precedes the store": (
        LANES + "T2: ld.global.u16 [C0 + C1]\nstore.global.word [C1] = 0\nnext exit",
        FaultCode.MISALIGNED,
        (1, 3),
    ),
    "a pointer of the last level precedes the store": (
        LANES + "T7: fit C1, C1\nstore.global.word [C1] = 0\nnext exit",
        FaultCode.POINTER,
        (1, 2, 3),
    ),
    "the store precedes sync": (
        LANES + "sync 0\nstore.global.word [C0 + C1<<2] = 0\nnext exit",
        FaultCode.OUT_OF_RANGE,
        (2, 3),
    ),
    "fit": (LANES + "T4: fit C1, C1\nnext exit", FaultCode.POINTER, (1, 2, 3)),
}


@pytest.mark.parametrize("name", FAULTS)
def test_faults(name: str) -> None:
    text, code, lanes = FAULTS[name]
    program = make_program([text.replace("next exit", "out r1=C0\nnext exit")], pointer_params(1, 1))
    trace = run_program(program, [0, 0], scalars=[0b1010], block=(4, 1, 1))
    assert (trace.fault.code, trace.fault.lanes) == (code, lanes)
    mask = sum(1 << lane for lane in lanes)
    assert vocabulary(SEED).text(trace.tokens) == f"EXEC(0,0) FAULT({int(code)},{mask}) HALT"
    assert all(set(rows) == {0} for rows in trace.registers), "a faulted EXEC has no effect"
    assert (trace.execs, trace.memory[:2]) == (1, (0, 0))


def test_sync_names_only_lanes_that_are_there() -> None:
    """Lanes beyond the warp and exited lanes may be named; a lane that is elsewhere may not."""
    texts = [
        "const C0=tid.x C1=#2\nT1: ltu C0, C1\nnext if T1 -> 1 else 2",
        "sync C0\nconst C0=#{mask}\nout r1=C0\nnext exit",
        "next exit",
    ]

    def run(mask: int, third: str) -> Trace:
        blocks = [texts[0], texts[1].replace("{mask}", str(mask)), third]
        return run_ids(SEED, launch_ids(make_program(blocks), block=(4, 1, 1)))

    assert run(0xFFFFFFF3, "next exit").fault is None
    assert run(0xFFFFFFF7, "next exit").fault.code is FaultCode.CONVERGENCE
    # Lanes 2 and 3 run first and exit when the others' block has the higher number.
    swapped = [
        texts[0].replace("1 else 2", "2 else 1"),
        "next exit",
        texts[1].replace("{mask}", str(0xFFFFFFFF)),
    ]
    trace = run_ids(SEED, launch_ids(make_program(swapped), block=(4, 1, 1)))
    assert trace.fault is None and trace.registers[0][1] == 0xFFFFFFFF


@pytest.mark.parametrize("case", ["never written", "valid bit cleared"])
def test_an_illegal_block_faults_then_halts(case: str) -> None:
    program = make_program(["next 1", "out r1=C0\nconst C0=#5\nnext exit"])
    ids = launch_ids(program, block=(3, 1, 1))
    vocab = vocabulary(SEED)
    start = ids.index(vocab.id(Kind.ROM, 1))
    if case == "never written":
        end = next(i for i in range(start + 1, len(ids)) if vocab.token(ids[i]).kind is Kind.CONST)
        del ids[start:end]
    else:
        ids[start + 1 : start + 1] = []
        at = ids.index(vocab.id(Kind.ROW, 0), start)
        while vocab.token(ids[at]).kind is not Kind.SET:
            at += 1
        assert vocab.token(ids[at]).args[0] & 1
        ids[at] = vocab.id(Kind.SET, vocab.token(ids[at]).args[0] & ~1)
    trace = run_ids(SEED, ids)
    assert trace.fault.code is FaultCode.ILLEGAL
    assert vocab.text(trace.tokens) == "EXEC(0,0) EXEC(1,0) FAULT(0,7) HALT"


def test_a_prompt_beyond_the_memory_is_no_launch() -> None:
    vocab = vocabulary(SEED)
    for row, size, fits in (
        (ConstRow.GLOBAL_BYTES, 4 * 126, True),
        (ConstRow.GLOBAL_BYTES, 4 * 126 + 1, False),
        (ConstRow.SHARED_BYTES, 4 * 127, False),
    ):
        ids = [
            vocab.id(Kind.RESET),
            vocab.id(Kind.CONST, row),
            *vocab.value(size, Kind.SET),
            vocab.id(Kind.LAUNCH),
        ]
        machine = Machine(SEED)
        if fits:
            machine.feed(ids)
            assert vocab.text(machine.run().tokens) == "HALT"
        else:
            with pytest.raises(ValueError, match=r"asks for 127 memory words, spec seed has 126"):
                machine.feed(ids)
