"""Addresses of loads and stores: digits, bounds, alignment, against the reference interpreter."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from gpu_kit import EDGES, ODD, SMALL, Bench

from oracles.reference.compile import compile_block
from qwengpu.circuits import form
from qwengpu.encode import encode
from qwengpu.gpu.addresses import check_address, early_sum, full_sum, load_used, make_address_control
from qwengpu.image import GLOBAL_BASE
from qwengpu.isa import Block, Mod, Op, Slot, Space, Width
from qwengpu.spec import SEED, Spec
from qwengpu.tokens import FaultCode

VECTORS = 2000
ENTRIES = 4


def vectors(spec: Spec, seed: int) -> list[tuple[Slot, tuple[int, int, int], int, int]]:
    """(load, values of a, b, c, bytes of global and of shared memory); most of them near the bounds."""
    rng = random.Random(seed)
    out = []
    for _ in range(VECTORS):
        space, width = rng.choice(list(Space)), rng.choice(list(Width))
        mod = Mod(rng.randrange(4), rng.random() < 0.5, width, space, rng.choice([0, 0, 0, 1, 2, 3, 4, 7]))
        sizes = [rng.randrange(4 * spec.memory_rows + 1) for _ in Space]
        sizes = [rng.choice([size, 4 * spec.memory_rows, 0]) for size in sizes]
        base = GLOBAL_BASE if space is Space.GLOBAL else 0
        offset = rng.choice([0, sizes[space], rng.randrange(sizes[space] + 1)]) + rng.choice(
            [-4, -2, -1, 0, 0, 1, 4]
        )
        b, c = (rng.choice([rng.choice(EDGES), rng.getrandbits(32), rng.randrange(8)]) for _ in range(2))
        index = b - (b >> 31 << 32) if mod.signed else b
        a = base + offset - (index << mod.scale) - (c - (c >> 31 << 32))
        if not 0 <= a < 1 << 32 or rng.random() < 0.1:
            a = rng.choice([rng.getrandbits(32), base + offset & 0xFFFFFFFF])
        out.append((Slot(Op.LD, 1, 2, 3, mod), (a, b, c), *sizes))
    return out


def expected(slot: Slot, words: tuple[int, int, int], sizes: tuple[int, int], spec: Spec) -> FaultCode | None:
    block = Block(reads=(1, 2, 3), slots=(slot,))
    memory = [0] * spec.memory_rows
    constants = [[0] * spec.const_rows]
    effect = compile_block(block, spec, record=True).execute(
        [0], [[0, *words]], constants, memory, memory, sizes[0], sizes[1], 1, 1
    )
    return effect.faults[0].code if effect.faults else None


@pytest.mark.parametrize("base_spec", [SEED, SMALL, ODD], ids=lambda spec: spec.name)
@pytest.mark.parametrize("late", [0, 2, ENTRIES])
def test_addresses(base_spec: Spec, late: int) -> None:
    """``late``: the first bus entry that joins in the last level; with 0 all do, with 4 none."""
    spec = replace(base_spec, name="load", levels=("l",), read_ports=3, const_ports=1)
    tests = vectors(spec, seed=late)
    bench = Bench(len(tests))
    c = bench.c
    block = bench.fields(spec, [encode(Block(reads=(1, 2, 3), slots=(slot,)), spec) for slot, *_ in tests])
    sizes = (
        c.feature("global", [test[2] for test in tests]),
        c.feature("shared", [test[3] for test in tests]),
    )
    control = make_address_control(c, block, "slot0", ENTRIES, load_used(block, 0), sizes)
    entries = [None, *(bench.word(f"R{p}", [test[1][p] for test in tests]) for p in range(3))]
    early = early_sum(c, spec, control, entries, late) if late else None
    sum_ = full_sum(c, spec, control, entries, late, early)
    checked = check_address(c, spec, control, sum_)
    digits = [form(one) for group in checked.onehot for one in group]
    inside, misaligned, *onehot = bench.run([checked.inside, checked.misaligned, *digits])
    kinds = dict.fromkeys([None, FaultCode.OUT_OF_RANGE, FaultCode.MISALIGNED], 0)
    for number, (slot, words, *size) in enumerate(tests):
        want = expected(slot, words, (size[0], size[1]), spec)
        if not inside[number]:
            got: FaultCode | None = FaultCode.OUT_OF_RANGE
        else:
            got = FaultCode.MISALIGNED if misaligned[number] else None
        assert got == want, f"{slot} {words} {size}: {got}, not {want}"
        kinds[want] += 1
        _check_digits(spec, slot, words, [int(one[number]) for one in onehot], [len(g) for g in checked.onehot])
    assert min(kinds.values()) > VECTORS // 50, kinds


def _check_digits(
    spec: Spec, slot: Slot, words: tuple[int, int, int], onehot: list[int], sizes: list[int]
) -> None:
    """The digits are those of the byte offset, whatever else is wrong with it."""
    a, b, c = words
    index = b - (b >> 31 << 32) if slot.mod.signed else b
    at = a + (index << slot.mod.scale) + c - (c >> 31 << 32)
    start = 0
    for place, size in enumerate(sizes):
        digit = at >> 2 * place & size - 1
        assert onehot[start : start + size] == [int(v == digit) for v in range(size)], (slot, words, place)
        start += size
