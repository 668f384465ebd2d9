"""Benches for the machine's units, and replays of whole traces."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from qwengpu.circuits import Circuit, Linear, form, total
from qwengpu.circuits.simulate import Simulator
from qwengpu.encode import fields
from qwengpu.gpu.build import Gpu, gpu_circuit
from qwengpu.gpu.digits import Digits
from qwengpu.gpu.rom import Fields
from qwengpu.spec import SEED, WIDE, Spec

# Random programs are those of the reference interpreter's tests.
sys.path.append(str(Path(__file__).parents[2] / "oracles" / "reference"))

EDGES = (0, 1, 2, 3, 4, 31, 32, 0x7F, 0x80, 0xFF, 0x7FFF, 0xFFFF, 0x10000, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF)

SMALL = Spec(
    "small",
    lanes=2,
    registers=8,
    warps=2,
    blocks=8,
    memory_words=24,
    const_rows=20,
    levels=("x", "l", "m", "xa"),
)
ODD = replace(
    SMALL, name="odd", warps=1, memory_words=9, const_rows=17, read_ports=3, live_outs=2, levels=("la", "mx")
)
EIGHT = replace(SMALL, name="eight", lanes=8, levels=("xl",), memory_words=40, live_outs=3)
ONE = replace(SMALL, name="one", lanes=1, warps=1, registers=4, levels=("m", "l"))
SPECS = {spec.name: spec for spec in (SEED, WIDE, SMALL, ODD, EIGHT, ONE)}


class Bench:
    """A circuit whose token i is test vector i: inputs are features, a unit stands alone."""

    def __init__(self, count: int) -> None:
        self.count = count
        self.c = Circuit("bench", count)

    def number(self, name: str, values: Sequence[int]) -> Linear:
        """An integer input."""
        return self.c.feature(name, list(values))

    def bits(self, name: str, values: Sequence[int], count: int) -> tuple[Any, ...]:
        """The bits of an input, lowest first."""
        return tuple(
            self.c.feature(f"{name}.{place}", [v >> place & 1 for v in values]) for place in range(count)
        )

    def word(self, name: str, values: Sequence[int]) -> Digits:
        """A 32-bit input as base-4 digits."""
        return tuple(
            self.c.feature(f"{name}.{place}", [v >> 2 * place & 3 for v in values]) for place in range(16)
        )

    def fields(self, spec: Spec, blocks: Sequence[Sequence[int]]) -> Fields:
        """ROM words of one block a vector, as decoded fields."""
        whole = [sum(word << 32 * i for i, word in enumerate(words)) for words in blocks]
        return Fields(
            self.c,
            {
                field.name: self.bits(field.name, [w >> field.offset for w in whole], field.bits)
                for field in fields(spec)
            },
        )

    def run(self, outputs: Sequence[Linear]) -> list[np.ndarray]:
        """Values of forms, one array a form, one entry a vector."""
        for place, one in enumerate(outputs):
            self.c.neurons([(1, 1, form(one))], f"output.{place}")
        trace = Simulator(self.c.build()).run([list(range(self.count))])
        return [trace[f"output.{place}"][0] for place in range(len(outputs))]


def word_of(digits: Sequence[Linear]) -> list[Linear]:
    """Halves of a word, for `Bench.run` (a 32-bit sum is for Python to make)."""
    return [
        total(form(digit) * 4**place for place, digit in enumerate(digits[start : start + 8]))
        for start in (0, 8)
    ]


@lru_cache(maxsize=8)
def machine(name: str) -> tuple[Gpu, Simulator]:
    """The circuit of a spec, made once."""
    gpu = gpu_circuit(SPECS[name])
    return gpu, Simulator(gpu.netlist)


@dataclass(frozen=True)
class Difference:
    """The first position of a trace at which the circuit writes another token, or one with no margin."""

    position: int
    wanted: int
    found: int
    margin: int


def replay(
    simulator: Simulator, prompt: Sequence[int], trace: Sequence[int], chunk: int = 64
) -> Difference | None:
    """Feeds prompt and trace, and compares the circuit's choice with every token of the trace.

    No difference proves by induction that greedy decoding from the prompt writes the trace.
    """
    ids = [*prompt, *trace]
    state = simulator.start(1)
    for start in range(0, len(ids), chunk):
        part = ids[start : start + chunk]
        found = simulator.run([part], state)
        if start + len(part) < len(prompt):
            continue
        scores = found.scores()[:, 0, :]
        for place in range(max(0, len(prompt) - 1 - start), len(part)):
            at = start + place + 1
            if at < len(ids):
                column = scores[:, place]
                best = int(column.argmax())
                margin = int(column[best] - np.partition(column, -2)[-2])
                if best != ids[at] or margin < 1:
                    return Difference(at - len(prompt), ids[at], best, margin)
    return None


def same(found: np.ndarray, expected: Sequence[int], show: Callable[[int], object]) -> None:
    """Every vector gives what is expected; the first that does not is shown."""
    wrong = np.flatnonzero(found != np.array(expected))
    assert not len(wrong), f"{len(wrong)} of {len(found)} wrong, first {show(int(wrong[0]))}"
