"""Registers of one row: values that stay from token to token."""

from __future__ import annotations

from collections.abc import Sequence

from qwengpu.circuits.circuit import Circuit, Word
from qwengpu.circuits.forms import Linear
from qwengpu.circuits.netlist import Datum


def latch(
    c: Circuit,
    data: Sequence[Linear | Datum],
    enable: Linear,
    reset: Linear | None = None,
    high: int = 1,
    name: str = "latch",
) -> Word:
    """The data of the last token whose ``enable`` was 1 or more, this one included.

    Zeros before there was one, and after a reset.
    """
    memory = c.memory(name, 1, len(data), high)
    memory.write([], data, enable)
    if reset is not None:
        memory.reset(reset)
    return memory.read([]).word()


def taps(c: Circuit, bits: Sequence[Linear], back: int, name: str = "back") -> Word:
    """Every bit as it was ``back`` tokens ago (0...3)."""
    return tuple(c.tap(bit, back, f"{name}{back}.{place}") for place, bit in enumerate(bits))
