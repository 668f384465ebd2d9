"""Every operation of every kind of slot, in all lanes, against the reference interpreter's compiled blocks."""

from __future__ import annotations

import random
from dataclasses import replace

import numpy as np
import pytest
from gpu_kit import EDGES, SMALL, Bench, word_of

from oracles.reference.compile import compile_block
from qwengpu.circuits import form
from qwengpu.encode import INS_WIDTHS, encode
from qwengpu.gpu.decode import make_control
from qwengpu.gpu.digits import Collector
from qwengpu.gpu.ports import Bus
from qwengpu.gpu.slots import Machine, make_slots
from qwengpu.isa import Block, Mod, Op, ShflMode, Slot, Width, bus_slot
from qwengpu.spec import Spec
from qwengpu.tokens import FaultCode

VECTORS = 1500
PORTS = 3


def spec_of(kind: str, lanes: int) -> Spec:
    """One level of one slot; every lane's operands come from three read ports."""
    return replace(
        SMALL, name=kind, lanes=lanes, levels=(kind,), read_ports=PORTS, const_ports=1, live_outs=1, registers=4
    )


def operand(rng: random.Random, op: Op) -> int:
    """Edges, small numbers (counts, lanes, selectors), any words."""
    choice = rng.random()
    if choice < 0.25:
        return rng.choice(EDGES)
    if choice < 0.5:
        return rng.getrandbits(rng.choice([2, 3, 5, 6, 16]))
    word = rng.getrandbits(32)
    if op in (Op.SHFL, Op.SHFLP) and choice < 0.9:
        return rng.choice([0x1F, 0x1C03, 0x1E01, 0x1F00, 0, 0x303, word & 0x1F1F])
    return word if choice < 0.8 else word & rng.getrandbits(32)


def modifiers(rng: random.Random, op: Op) -> Mod:
    width = rng.choice(INS_WIDTHS) if op is Op.INS else Width.WORD
    return Mod(rng.randrange(4), rng.random() < 0.5, width, shfl=rng.choice(list(ShflMode)))


def vectors(kind: str, lanes: int, seed: int) -> list[tuple[Slot, list[list[int]], int]]:
    """(slot, operands of each lane, active mask)."""
    rng = random.Random(seed)
    offered = [op for op in Op if kind in op.kinds]
    out = []
    for number in range(VECTORS):
        op = offered[number % len(offered)]
        mod = modifiers(rng, op)
        words = [[operand(rng, op) for _ in range(PORTS)] for _ in range(lanes)]
        if rng.random() < 0.3:
            words = [[words[0][0], words[0][0], row[2]] for row in words]  # a == b
        if op is Op.FIT and rng.random() < 0.5:
            for row in words:
                row[1] = 0xFFFFFFFF * (row[0] >> 31) if mod.signed else 0
        out.append((Slot(op, 1, 2, 3, mod), words, rng.randrange(1, 1 << lanes)))
    return out


def expected(slot: Slot, words: list[list[int]], active: int, spec: Spec) -> dict[int, tuple[int, bool]]:
    """Result and POINTER fault of each active lane, by the reference interpreter."""
    block = Block(reads=(1, 2, 3), slots=(slot,))
    lanes = [lane for lane in range(spec.lanes) if active >> lane & 1]
    registers = [[0, *row] for row in words]
    constants = [[0] * spec.const_rows for _ in words]
    live = (1 << spec.lanes) - 1
    effect = compile_block(block, spec, record=True).execute(
        lanes, registers, constants, [], [], 0, 0, active, live
    )
    at = bus_slot(spec, 0)
    faulted = {fault.lane for fault in effect.faults if fault.code is FaultCode.POINTER}
    return {lane: (bus[at], lane in faulted) for lane, bus in zip(lanes, effect.bus, strict=True)}


@pytest.mark.parametrize(("kind", "lanes"), [("a", 1), ("x", 4), ("x", 2), ("x", 8), ("m", 1)])
def test_operations(kind: str, lanes: int) -> None:
    spec = spec_of(kind, lanes)
    tests = vectors(kind, lanes, seed=lanes)
    bench = Bench(len(tests))
    c = bench.c
    block = bench.fields(spec, [encode(Block(reads=(1, 2, 3), slots=(slot,)), spec) for slot, _, _ in tests])
    ports = []
    for lane in range(lanes):
        with c.scope(f"in{lane}"):
            entries = [bench.word(f"R{p}", [words[lane][p] for _, words, _ in tests]) for p in range(PORTS)]
        ports.append((None, *entries, None))
    active = bench.bits("active", [mask for _, _, mask in tests], lanes)
    control = make_control(c, spec, block)
    memories = None  # no slot loads
    m = Machine(c, spec, block, control, memories, (0, 0), active, Collector(c))  # type: ignore[arg-type]
    slots = make_slots(m, Bus(tuple(ports)))
    outputs = []
    for lane in range(lanes):
        outputs += [*word_of(slots.bus.entries[lane][-1]), form(slots.faults[0].pointer[lane][0])]
    found = bench.run(outputs)
    checked = dict.fromkeys((slot.op for slot, _, _ in tests), 0)
    for number, (slot, words, mask) in enumerate(tests):
        for lane, (value, pointer) in expected(slot, words, mask, spec).items():
            low, upper, fault = (int(found[3 * lane + part][number]) for part in range(3))
            got = (low | upper << 16, bool(fault))
            assert got == (value, pointer), f"{slot} lane {lane} of {words}, active {mask:b}: {got}"
            checked[slot.op] += 1
    assert min(checked.values()) >= VECTORS // len(checked) // 2, checked
    assert np.array(found).any()


def test_a_wrong_carry_would_be_noticed() -> None:
    """Negative control: the same bench with one operand digit changed gives another sum."""
    bench = Bench(2)
    a = bench.word("a", [0x0FFFFFFF, 0x0FFFFFFF])
    changed = (*a[:3], bench.number("digit", [3, 2]), *a[4:])
    low, upper = bench.run(word_of(changed))
    assert (low[0], upper[0]) == (0xFFFF, 0x0FFF) and (low[1], upper[1]) == (0xFFBF, 0x0FFF)
