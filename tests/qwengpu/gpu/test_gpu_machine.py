"""The whole machine: programs whose traces the circuit must write, and the state that they leave."""

from __future__ import annotations

import pytest
from gpu_kit import EIGHT, ONE, SMALL, machine, replay
from reference_kit import launch_ids, make_program, pointer_params
from test_reference_random import random_prompt

from oracles.reference.machine import Machine
from oracles.reference.trace import Trace
from qwengpu.circuits import Evaluator
from qwengpu.circuits.simulate import BatchState
from qwengpu.program import Program
from qwengpu.spec import Spec
from qwengpu.tokens import Kind, vocabulary


def reference(spec: Spec, ids: list[int], limit: int = 60) -> Trace:
    machine_ = Machine(spec)
    machine_.feed(ids)
    return machine_.run(limit)


def check(spec: Spec, ids: list[int]) -> Trace:
    """The circuit writes the reference interpreter's trace."""
    trace = reference(spec, ids)
    _, simulator = machine(spec.name)
    difference = replay(simulator, ids, trace.tokens)
    if difference is not None:
        vocab = vocabulary(spec)
        at = difference.position
        before = vocab.text(trace.tokens[max(0, at - 8) : at])
        wanted, found = vocab.text([difference.wanted]), vocab.text([difference.found])
        pytest.fail(f"token {at}: {wanted} wanted, {found} found (margin {difference.margin}) after {before}")
    return trace


@pytest.mark.parametrize("spec", [SMALL, EIGHT, ONE], ids=lambda spec: spec.name)
def test_random_programs(spec: Spec) -> None:
    ended = 0
    for seed in range(12 if spec.lanes < 8 else 5):
        ended += reference(spec, random_prompt(seed, spec)).fault is None
        check(spec, random_prompt(seed, spec))
    assert ended > 3


def program(*texts: str, spec: Spec = SMALL, **more: object) -> Program:
    return make_program(texts, spec=spec, **more)  # type: ignore[arg-type]


LOAD = "const C0=param0 C1=tid.x C2=#0x80000000\n"
FAULTS = {
    "TRAP": "next trap",
    "OUT_OF_RANGE": LOAD + "T1: ld.global.word [C0 + C1<<3]\nnext exit",
    "MISALIGNED": LOAD + "T1: ld.global.u16 [C0 + C1]\nstore.global.word [C1] = 0\nnext trap",
    "POINTER": LOAD + "T0: lea [C0 + C2<<1]\nT1: ld.global.word [C1]\nnext exit",
    "CONVERGENCE": "const C0=#1\nsync C0\nnext exit",
}


@pytest.mark.parametrize("name", FAULTS)
def test_faults(name: str) -> None:
    ids = launch_ids(program(FAULTS[name], params=pointer_params(1)), [[5, 6]], block=(2, 1, 1))
    trace = check(SMALL, ids)
    assert trace.fault is not None and trace.fault.code.name == name


def test_stages_of_faults() -> None:
    """A level's fault hides those of later levels and of the store, whatever their kind."""
    texts = (
        LOAD + "T1: ld.global.word [C0 + C1<<3]\nT3: fit C2, C2\nnext exit",
        LOAD + "T4: fit C0, C1\nstore.global.word [C2] = 0\nnext exit",
        LOAD + "sync 0\nstore.global.word_of_16 [C0 + C1] = 0\nnext exit",
    )
    kinds = []
    for text in texts:
        trace = check(SMALL, launch_ids(program(text, params=pointer_params(1)), [[5, 6]], block=(2, 1, 1)))
        assert trace.fault is not None
        kinds.append((trace.fault.code.name, trace.fault.lanes))
    assert kinds == [("OUT_OF_RANGE", (1,)), ("POINTER", (1,)), ("MISALIGNED", (1,))]


def test_an_illegal_block_faults_then_halts() -> None:
    trace = check(SMALL, launch_ids(program("next 1"), block=(3, 1, 1)))
    assert vocabulary(SMALL).text(trace.tokens) == "EXEC(0,0) EXEC(0,1) EXEC(1,0) FAULT(0,3) HALT"


BARRIER = (
    "const C0=tid.x C1=#2\nT0: ltu C0, C1\nout r1=C0\nnext if T0 -> 1 else 2",
    "read R0=r1\nconst C0=#2\nT0: shl R0, C0\nstore.shared.word [T0] = R0\nnext barrier -> 3",
    "const C0=tid.x\nserial\nstore.shared.word [0 + C0<<2] = C0\nnext barrier -> 3",
    "read R0=r1\nconst C0=#3\nT0: xor R0, C0\nT1: ld.shared.word [0 + T0<<2]\nout r2=T1\nnext exit",
)


def test_barriers_and_divergence() -> None:
    ids = launch_ids(program(*BARRIER, shared_bytes=16), block=(4, 1, 1))
    trace = check(SMALL, ids)
    assert trace.fault is None
    assert [rows[2] for rows in trace.registers] == [3, 2, 1, 0]
    assert Kind.RELEASE in {vocabulary(SMALL).token(token).kind for token in trace.tokens}


def test_a_barrier_at_another_place_faults() -> None:
    text = ("const C0=tid.x\nnext if C0 -> 1 else 2", "next barrier -> 3", "next barrier -> 3", "next exit")
    trace = check(SMALL, launch_ids(program(*text), block=(2, 1, 1)))
    assert trace.fault is not None and trace.fault.code.name == "BARRIER"


def test_a_grid_clears_registers_and_shared_memory() -> None:
    """Coordinates count up through all three dimensions; each thread block starts from nothing."""
    text = (
        "read R0=r1\nconst C0=ctaid.x C1=ctaid.y C2=ctaid.z C3=#100\nT1: ld.shared.word [0]\n"
        "T2: mul C2, C3, C1\nT3: add R0, T1\nT4: add T2, C0\nout r1=C3 r2=T4 r3=T3\n"
        "store.shared.word [0] = C3\nnext exit"
    )
    ids = launch_ids(program(text, shared_bytes=4), grid=(2, 3, 2), block=(1, 1, 1))
    trace = check(SMALL, ids)
    tokens = vocabulary(SMALL).text(trace.tokens)
    assert tokens.count("START") == 11 and tokens.count("VAL(2,2,0)") == 12


def test_a_dimension_of_one_is_skipped() -> None:
    for grid in ((1, 3, 1), (1, 1, 3), (2, 1, 2), (1, 1, 1)):
        check(SMALL, launch_ids(program("const C0=ctaid.y\nout r1=C0\nnext exit"), grid=grid))


def test_large_coordinates_carry() -> None:
    """ctaid may start anywhere in the circuit's eyes: its words are compared whole."""
    vocab = vocabulary(SMALL)
    ids = launch_ids(program("next exit"), grid=(1, 1, 1))
    for start, extent in ((0xFFFF, 0x10001), (0x1FFFF, 0x20000), (0x7FFFFFFE, 0x80000000), (255, 257)):
        words = [vocab.id(Kind.CONST, 6), *vocab.value(start, Kind.SET)]
        words += [vocab.id(Kind.CONST, 9), *vocab.value(extent, Kind.SET)]
        check(SMALL, [*ids[:-1], *words, ids[-1]])


def test_two_launches_share_nothing() -> None:
    first = launch_ids(program(*BARRIER, shared_bytes=16), block=(4, 1, 1))
    trace = reference(SMALL, first)
    text = "read R0=r1 R1=r2\nT1: ld.shared.word [0]\nout r3=R0 r4=R1 r5=T1\nnext exit"
    second = launch_ids(program(text, shared_bytes=4), block=(3, 1, 1))
    _, simulator = machine("small")
    assert replay(simulator, [*first, *trace.tokens, *second], reference(SMALL, second).tokens) is None


def run_state(spec: Spec, ids: list[int], tokens: tuple[int, ...]) -> BatchState:
    _, simulator = machine(spec.name)
    state = simulator.start(1)
    simulator.run([[*ids, *tokens]], state)
    return state


def test_state_holds_registers_and_memory() -> None:
    gpu, _ = machine("small")
    for seed in range(6):
        ids = random_prompt(seed, SMALL)
        trace = reference(SMALL, ids)
        if trace.fault is not None or trace.stopped is not None:
            continue
        state = run_state(SMALL, ids, trace.tokens)

        def word(memory: int, row: int, state: BatchState = state) -> int:
            return sum(int(bit) << i for i, bit in enumerate(state.memories[memory][0, row]))

        for thread, rows in enumerate(trace.registers):
            warp, lane = divmod(thread, SMALL.lanes)
            memory = gpu.registers[lane].index
            assert [word(memory, gpu.register_row(warp, row)) for row in range(SMALL.registers)] == list(rows)
        for memory_, words in zip(gpu.memory, (trace.memory, trace.shared), strict=True):
            assert [word(memory_.index, row) for row in range(SMALL.memory_rows)] == list(words)


def test_a_wrong_token_is_noticed() -> None:
    """Negative control: a trace with one digit changed is not what the circuit writes."""
    ids = random_prompt(1, SMALL)
    tokens = list(reference(SMALL, ids).tokens)
    vocab, (_, simulator) = vocabulary(SMALL), machine("small")
    values = [i for i, token in enumerate(tokens) if vocab.token(token).kind in (Kind.VAL, Kind.MEM)]
    for at in (values[0], values[-1]):
        changed = [*tokens[:at], tokens[at] ^ 1, *tokens[at + 1 :]]
        difference = replay(simulator, ids, changed)
        assert difference is not None and (difference.position, difference.found) == (at, tokens[at])


def test_free_running() -> None:
    """Greedy decoding by the plain evaluator, from the circuit's own logits."""
    gpu, _ = machine("one")
    text = ("const C0=#300\nT0: mul C0, C0\nout r1=T0\nnext 1", "read R0=r1\nout r2=R0 r1=0\nnext exit")
    ids = launch_ids(program(*text, spec=ONE))
    tokens = list(reference(ONE, ids).tokens)
    assert Evaluator(gpu.netlist).generate(ids, tokens[-1], 40) == tokens
    assert tokens[-1] == vocabulary(ONE).id(Kind.HALT)
