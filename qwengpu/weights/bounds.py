"""Interval bounds and granularities of channels, and of the rows of sparse tensors over them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import gcd
from typing import TYPE_CHECKING, Any, TypeAlias

from qwengpu.circuits.forms import Form
from qwengpu.circuits.netlist import Collect, Feature, Netlist, Neurons, ReadBit, Unit
from qwengpu.weights.allocate import Allocation
from qwengpu.weights.tensors import Tensor

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Doubles: TypeAlias = NDArray[np.float64]
else:
    Doubles = Any

UNITS = 2.0**60
"""Weights are multiples of 2**-60 or more, so a granularity times this is an integer."""


@dataclass(frozen=True)
class Bounds:
    """``lo``...``hi`` of a vector's elements, all of them multiples of ``granularity`` (0: always zero)."""

    lo: Doubles
    hi: Doubles
    granularity: Doubles

    @property
    def magnitude(self) -> Doubles:
        """Largest absolute value."""
        import numpy  # noqa: PLC0415 - only the compiler's users need it

        found: Doubles = numpy.maximum(abs(self.lo), abs(self.hi))
        return found

    def relu(self) -> Bounds:
        """Bounds of relu."""
        import numpy  # noqa: PLC0415

        return Bounds(numpy.maximum(self.lo, 0), numpy.maximum(self.hi, 0), self.granularity)

    def times(self, other: Bounds) -> Bounds:
        """Bounds of the element-wise product; this one is not negative."""
        import numpy  # noqa: PLC0415

        lo = numpy.minimum(self.hi * other.lo, self.lo * other.lo)
        hi = numpy.maximum(self.hi * other.hi, self.lo * other.hi)
        return Bounds(lo, hi, self.granularity * other.granularity)


class Rows(Bounds):
    """Bounds of sums, with ``partial``: a bound of every partial sum, in any order."""

    def __init__(self, lo: Doubles, hi: Doubles, granularity: Doubles, partial: Doubles) -> None:
        super().__init__(lo, hi, granularity)
        object.__setattr__(self, "partial", partial)

    partial: Doubles

    @property
    def magnitude(self) -> Doubles:
        """Bound of the partial sums."""
        return self.partial

    def ratio(self) -> Doubles:
        """Partial sums in units of the granularity."""
        return _ratio(self.partial, self.granularity)

    def value_ratio(self) -> Doubles:
        """The result itself in units of the granularity."""
        import numpy  # noqa: PLC0415

        return _ratio(numpy.maximum(abs(self.lo), abs(self.hi)), self.granularity)

    def plus(self, before: Bounds, after: Bounds) -> Rows:
        """The rows added to a residual stream that is ``before`` now and ``after`` then."""
        import numpy  # noqa: PLC0415

        partial = self.partial + before.magnitude
        granularity = numpy.array(
            [_gcd(one, other) for one, other in zip(self.granularity, before.granularity, strict=True)]
        )
        changed = self.partial > 0
        return Rows(
            numpy.where(changed, after.lo, 0),
            numpy.where(changed, after.hi, 0),
            granularity,
            numpy.where(changed, partial, 0),
        )


def _ratio(size: Doubles, granularity: Doubles) -> Doubles:
    import numpy  # noqa: PLC0415

    found: Doubles = numpy.divide(size, granularity, out=numpy.zeros_like(size), where=granularity > 0)
    return found


def _gcd(one: float, other: float) -> float:
    return gcd(int(one * UNITS), int(other * UNITS)) / UNITS


def row_bounds(tensor: Tensor, inputs: Bounds) -> Rows:
    """Bounds of the matrix-vector product with a tensor of shape (rows, inputs), whose fill is zero."""
    import numpy  # noqa: PLC0415

    rows, columns = tensor.index // tensor.shape[1], tensor.index % tensor.shape[1]
    weight = tensor.value.astype(numpy.float64)
    below, above = weight * inputs.lo[columns], weight * inputs.hi[columns]
    sums = [numpy.zeros(tensor.shape[0]) for _ in range(3)]
    numpy.add.at(sums[0], rows, numpy.minimum(below, above))
    numpy.add.at(sums[1], rows, numpy.maximum(below, above))
    numpy.add.at(sums[2], rows, numpy.maximum(abs(below), abs(above)))
    steps = abs(weight) * inputs.granularity[columns]
    whole: dict[int, int] = {}
    for row, step in zip(rows.tolist(), steps.tolist(), strict=True):
        whole[row] = gcd(whole.get(row, 0), int(step * UNITS))
    granularity = numpy.zeros(tensor.shape[0])
    granularity[list(whole)] = [step / UNITS for step in whole.values()]
    return Rows(sums[0], sums[1], granularity, sums[2])


class Channels:
    """Bounds of every channel of the residual stream, as it moves from step to step."""

    def __init__(self, allocation: Allocation) -> None:
        import numpy  # noqa: PLC0415

        self.allocation = allocation
        netlist = allocation.schedule.netlist
        self._granularity = granularities(netlist)
        self._new: dict[int, list[int]] = {}
        for wire, step in allocation.schedule.wire_steps.items():
            self._new.setdefault(step, []).append(wire)
        self._gone: dict[int, list[int]] = {}
        for erase in allocation.erases:
            self._gone.setdefault(erase.step, []).append(erase.wire)
        zeros = numpy.zeros(allocation.hidden)
        self.bounds = Bounds(zeros, zeros, zeros)
        self.bounds = self.after(0)
        for part in (self.bounds.lo, self.bounds.hi, self.bounds.granularity):
            part[allocation.one] = 1

    def after(self, step: int) -> Bounds:
        """The bounds after a step: wires erased, new ones there."""
        lo, hi, granularity = (
            part.copy() for part in (self.bounds.lo, self.bounds.hi, self.bounds.granularity)
        )
        signals, channels = self.allocation.schedule.netlist.signals, self.allocation.channels
        for wire in self._gone.get(step, ()):
            lo[channels[wire]] = hi[channels[wire]] = granularity[channels[wire]] = 0
        for wire in self._new.get(step, ()):
            place = channels[wire]
            lo[place], hi[place] = signals[wire].lo, signals[wire].hi
            granularity[place] = self._granularity[wire]
        return Bounds(lo, hi, granularity)

    def advance(self, step: int) -> None:
        """Moves on past a step."""
        self.bounds = self.after(step)


def granularities(netlist: Netlist) -> Mapping[int, int]:
    """A common divisor of all values of each signal, by index; 0 for one that is always zero."""
    from qwengpu.circuits.graph import graph  # noqa: PLC0415

    found: dict[int, int] = {}

    def of(value: Form) -> int:
        return gcd(value.const, *(coef * found.get(signal.index, 1) for signal, coef in value.terms))

    for node in graph(netlist).nodes:
        for unit in node.units:
            definition = netlist.definitions[unit]
            if isinstance(definition, Unit):
                found[unit] = of(definition.form)
        for wire in node.wires:
            match netlist.definitions[wire]:
                case Feature(values):
                    found[wire] = gcd(*values)
                case Neurons(neurons):
                    found[wire] = gcd(*(n.coef * of(n.gate) * of(n.up) for n in neurons))
                case Collect(value):
                    found[wire] = of(value)
                case ReadBit() | Unit():
                    pass
    return found
