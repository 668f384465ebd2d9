"""What the circuit calls an illegal block is what `qwengpu.encode` calls one."""

from __future__ import annotations

import random

import pytest
from gpu_kit import ODD, SMALL, Bench

from qwengpu.encode import Illegal, block_bits, block_words, decode, encode, fields
from qwengpu.gpu.legality import make_legality
from qwengpu.isa import Block
from qwengpu.spec import SEED, WIDE, Spec


def rom_words(value: int, spec: Spec) -> tuple[int, ...]:
    return tuple(value >> 32 * i & 0xFFFFFFFF for i in range(block_words(spec)))


def candidates(spec: Spec, seed: int) -> list[tuple[int, ...]]:
    """A legal block with a few fields made random, and every value of each small field in turn."""
    from test_reference_random import _block  # noqa: PLC0415

    rng = random.Random(seed)
    out = [encode(Block(), spec), rom_words(0, spec)]
    for _ in range(500):
        words = encode(_block(rng, spec, 0, 2), spec)
        whole = sum(word << 32 * i for i, word in enumerate(words))
        for _ in range(rng.choice([0, 1, 1, 2])):
            field = rng.choice(fields(spec))
            mask = (1 << field.bits) - 1
            whole = whole & ~(mask << field.offset) | rng.getrandbits(field.bits) << field.offset
        out.append(rom_words(whole, spec))
    legal = sum(word << 32 * i for i, word in enumerate(encode(_block(rng, spec, 0, 2), spec)))
    for field in fields(spec):
        for value in range(1 << field.bits) if field.bits <= 6 else [0, 1 << 31, spec.const_rows]:
            mask = (1 << field.bits) - 1
            out.append(rom_words(legal & ~(mask << field.offset) | value << field.offset, spec))
    out += [rom_words(rng.getrandbits(block_bits(spec)), spec) for _ in range(50)]
    return out


@pytest.mark.parametrize("spec", [SEED, WIDE, SMALL, ODD], ids=lambda spec: spec.name)
def test_illegal_blocks(spec: Spec) -> None:
    blocks = candidates(spec, seed=3)
    bench = Bench(len(blocks))
    found = bench.run([make_legality(bench.c, spec, bench.fields(spec, blocks))])[0]
    counts = [0, 0]
    for words, illegal in zip(blocks, found, strict=True):
        verdict = decode(words, spec)
        assert bool(illegal) == isinstance(verdict, Illegal), verdict
        counts[int(illegal)] += 1
    assert min(counts) > 100, counts
