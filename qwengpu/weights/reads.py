"""The constants behind a head's read: output gate and projection that turn a column into its integer again."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from qwengpu.weights.errors import CompileError

SCALE = 128
"""silu(SCALE * n) = SCALE * relu(n) exactly for integers n; 32 and 64 leak."""
KEEP = 36
"""A head's constant column holds SCALE * 2**KEEP."""
BELOW, ABOVE = 2.0**-25, 2.0**-24
"""A read bit that is off by less than this, down and up, is rounded to 1."""


class ReadConstants(NamedTuple):
    """``gate``: weight of in_proj_z; ``scale``: of out_proj; ``error``: how far a bit that is 1 can be off."""

    gate: float
    scale: float
    error: float


@lru_cache(maxsize=16)
def read_constants(dk: int, dv: int) -> ReadConstants:
    """The constants for heads of dk x dv: 32 and a power of two if 1/sqrt(dk) is one, so a read is exact.

    Otherwise a gate and a scale for which a read bit, before it is rounded, is as close to 1 as possible,
    whether the reciprocal square root is rounded correctly or made of a square root and a division (as torch
    does on CPUs). Raises CompileError if no constants are good enough.
    """
    import numpy  # noqa: PLC0415 - only the compiler's users need it

    best: tuple[float, float, float] | None = None
    for gate in (32.0, *(32 + step / 8 for step in range(1, 256))):
        for ulps in range(-2, 3):
            scale = numpy.float32(2.0**KEEP / gate / dv**0.5)
            for _ in range(abs(ulps)):
                scale = numpy.nextafter(scale, numpy.float32(numpy.inf if ulps > 0 else 0))
            errors = [value * float(scale) - 1 for value in _gated(dk, dv, gate)]
            if not any(errors):
                return ReadConstants(gate, float(scale), 0.0)
            slack = min(min(errors) + BELOW, ABOVE - max(errors))
            if best is None or slack > best[0]:
                best = slack, gate, float(scale)
    if best is None or best[0] <= 0:
        raise CompileError(f"no constants read a bit from heads of {dk} x {dv}")
    errors = [value * best[2] - 1 for value in _gated(dk, dv, best[1])]
    return ReadConstants(best[1], best[2], max(errors, key=abs))


def _gated(dk: int, dv: int, gate: float) -> Iterator[float]:
    """What the gated norm gives for a bit that is 1, in float32, by either way to scale the query and to take
    the reciprocal square root."""
    import numpy  # noqa: PLC0415

    f = numpy.float32
    for query in (f(1) / numpy.sqrt(f(dk)), f(1) * f(dk**-0.5)):
        constant, bit = f(SCALE * 2.0**KEEP) * query, f(SCALE) * query
        variance = constant * constant / f(dv)
        for root in (f(1 / numpy.sqrt(numpy.float64(variance))), f(1) / numpy.sqrt(variance)):
            yield float(bit * root * f(gate))
