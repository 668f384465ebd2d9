"""Random programs on several machines: every mode agrees, and the token stream alone rebuilds the state."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from reference_kit import Consumer, run_ids

from oracles.reference.machine import Machine
from oracles.reference.trace import Trace
from qwengpu.encode import INS_WIDTHS, STORE_WIDTHS, bus_size, illegal_reason
from qwengpu.image import GLOBAL_BASE, Placed, build_image, prompt
from qwengpu.isa import (
    EXIT,
    Block,
    Const,
    LiveOut,
    Mod,
    Next,
    NextKind,
    Op,
    ShflMode,
    Slot,
    Space,
    Store,
    Width,
    bus_slot,
)
from qwengpu.program import BlockMap, Param, Program, SizeReport
from qwengpu.spec import SEED, WIDE, Spec
from qwengpu.tokens import Kind, vocabulary

SMALL = Spec(
    "small",
    lanes=2,
    registers=8,
    warps=2,
    blocks=8,
    memory_words=24,
    const_rows=20,
    payload_bits=6,
    levels=("x", "l", "m", "xa"),
)
TINY_PAYLOAD = replace(SEED, name="tiny", payload_bits=3)
SPECS = (SEED, WIDE, SMALL, TINY_PAYLOAD)

RISKY = (Op.LEA, Op.FIT)


def _slot(rng: random.Random, spec: Spec, number: int) -> Slot | None:
    if rng.random() < 0.2:
        return None
    kind = spec.slot_kinds[number]
    earlier = bus_slot(spec, spec.slot_levels.index(spec.slot_levels[number]))
    if kind == "l":
        # Mostly in range: a base that is a constant, a small index.
        scale, width = rng.choice([(2, Width.WORD), (1, Width.U16), (0, Width.S8), (0, Width.WORD_OF_8)])
        mod = Mod(scale=scale, width=width, space=rng.choice(list(Space)))
        base = 0 if mod.space is Space.SHARED else 1 + spec.read_ports
        return Slot(Op.LD, base, 1 + spec.read_ports + 1, 0, mod)
    op = rng.choice([op for op in Op if kind in op.kinds and (op not in RISKY or rng.random() < 0.05)])
    a, b, c = (rng.randrange(earlier) for _ in range(3))
    width = rng.choice(INS_WIDTHS) if op is Op.INS else Width.WORD
    return Slot(op, a, b, c, Mod(rng.randrange(4), rng.random() < 0.5, width, shfl=rng.choice(list(ShflMode))))


def _block(rng: random.Random, spec: Spec, number: int, count: int) -> Block:
    """A legal block: C0 is the buffer, C1 the thread's x; loads and stores use them as base and index."""
    bus = bus_size(spec)
    ports = 1 + spec.read_ports
    store = None
    if rng.random() < 0.6:
        space = rng.choice(list(Space))
        base = ports if space is Space.GLOBAL else 0
        mod = Mod(scale=rng.choice([2, 2, 3]), width=rng.choice(STORE_WIDTHS), space=space)
        store = Store(base, rng.randrange(bus), rng.choice([ports + 1, 0]), 0, mod)
    later = [*range(number + 1, count), EXIT]
    kind = rng.choices(list(NextKind), [5, 5, 2, 0.1])[0]
    backwards = rng.randrange(count) if rng.random() < 0.2 else rng.choice(later)
    constants = (Const(16, True), Const(0, True), Const(rng.getrandbits(rng.choice([3, 9, 32]))))
    return Block(
        reads=tuple(rng.randrange(spec.registers) for _ in range(spec.read_ports)),
        consts=(*constants, Const(rng.randrange(spec.const_rows), True)),
        slots=tuple(_slot(rng, spec, slot) for slot in range(len(spec.slot_kinds))),
        outs=tuple(
            LiveOut(rng.randrange(1, spec.registers), rng.randrange(bus))
            for _ in range(rng.randrange(spec.live_outs + 1))
        ),
        store=store,
        next=Next(kind, rng.choice(later), backwards, rng.randrange(bus)),
        sync=rng.randrange(bus) if rng.random() < 0.03 else None,
        serial=rng.random() < 0.2,
    )


def random_prompt(seed: int, spec: Spec) -> list[int]:
    """The prompt of a random program on a random launch."""
    rng = random.Random(seed)
    count = rng.randrange(1, min(spec.blocks, 8))
    blocks = tuple(_block(rng, spec, number, count) for number in range(count))
    assert all(illegal_reason(block, spec) is None for block in blocks)
    report = SizeReport(count, 0, 0, 0, 0, 0, 0)
    program = Program(spec, "k", blocks, (Param("p", 8, 16, 2),), (BlockMap(),) * count, report)
    threads = rng.randrange(1, spec.threads + 1)
    words = [rng.getrandbits(rng.choice([4, 32])) for _ in range(min(16, spec.memory_words // 2))]
    data = b"".join(word.to_bytes(4, "little") for word in words)
    grid = (rng.randrange(1, 3), rng.randrange(1, 3), 1)
    image = build_image(
        program,
        grid,
        (threads, 1, 1),
        [GLOBAL_BASE.to_bytes(8, "little")],
        [Placed(GLOBAL_BASE, data)],
        4 * (spec.memory_words // 2 - 1),
    )
    return prompt(program, image)


@pytest.mark.parametrize("spec", SPECS, ids=lambda spec: spec.name)
def test_random_programs(spec: Spec) -> None:
    ended = faulted = stopped = execs = 0
    for seed in range(60):
        trace: Trace = run_ids(spec, random_prompt(seed, spec), step_limit=60)
        execs += trace.execs
        faulted += trace.fault is not None
        stopped += trace.stopped is not None
        ended += trace.fault is None and trace.stopped is None
    assert ended >= 10 and faulted >= 5, (ended, faulted, stopped, execs)


def test_a_changed_value_is_noticed() -> None:
    """Negative control: with the lowest bit of its last value flipped, a trace rebuilds another state."""
    vocab = vocabulary(SEED)
    noticed = tried = 0
    for seed in range(60):
        ids = random_prompt(seed, SEED)
        machine = Machine(SEED)
        machine.feed(ids)
        trace = machine.run(60)
        tokens = list(trace.tokens)
        values = [i for i, token in enumerate(tokens) if vocab.token(token).kind in (Kind.VAL, Kind.MEM)]
        if not values:
            continue
        tokens[values[-1]] ^= 1
        consumer = Consumer(SEED)
        consumer.read(ids)
        consumer.read(tokens)
        same = consumer.registers == [list(rows) for rows in trace.registers]
        noticed += not (same and consumer.memory == [list(trace.memory), list(trace.shared)])
        tried += 1
    assert tried > 30 and noticed > 0.9 * tried, (noticed, tried)
