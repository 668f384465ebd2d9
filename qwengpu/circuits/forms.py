"""Signals of a circuit and integer linear forms over them: the free arithmetic of the language."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TypeAlias


class _Linear:
    """Operators that signals and forms share: sums, differences and integer multiples give a `Form`."""

    __slots__ = ()

    def _form(self) -> Form:
        raise TypeError(f"{type(self).__name__} is no linear form")

    def __add__(self, other: Linear) -> Form:
        return total((self._form(), other))

    __radd__ = __add__

    def __sub__(self, other: Linear) -> Form:
        return total((self._form(), -form(other)))

    def __rsub__(self, other: Linear) -> Form:
        return total((-self._form(), other))

    def __neg__(self) -> Form:
        return -1 * self._form()

    def __mul__(self, factor: int) -> Form:
        own = self._form()
        if not isinstance(factor, int):
            raise TypeError(f"a linear form is multiplied by integers only, not by {factor!r}")
        terms = tuple((signal, coef * factor) for signal, coef in own.terms) if factor else ()
        return _bounded(terms, own.const * factor)

    __rmul__ = __mul__


@dataclass(frozen=True, eq=False, repr=False, slots=True)
class Signal(_Linear):
    """A named integer ``lo``...``hi`` that every token has; ``index`` numbers the circuit's signals."""

    index: int
    name: str
    lo: int
    hi: int

    def _form(self) -> Form:
        return Form(((self, 1),), 0, self.lo, self.hi)

    def __repr__(self) -> str:
        return self.name


class Wire(Signal):
    """A signal that lives in the residual stream: a channel of its own while it is needed."""

    __slots__ = ()


class Raw(Signal):
    """One value channel of a Gated DeltaNet head, before its output projection.

    It has no residual channel: only `Circuit.collect` reads it.
    """

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Form(_Linear):
    """sum of coef * signal, plus ``const``; terms ascend by signal index, no coefficient is 0.

    ``lo``...``hi`` is the interval bound that follows from the signals' ranges.
    """

    terms: tuple[tuple[Signal, int], ...]
    const: int
    lo: int = field(compare=False)
    hi: int = field(compare=False)

    def _form(self) -> Form:
        return self

    @property
    def magnitude(self) -> int:
        """Bound of every partial sum in any order: the sum of |coef| * largest |signal|, plus |const|."""
        peaks = (abs(coef) * max(abs(signal.lo), abs(signal.hi)) for signal, coef in self.terms)
        return sum(peaks, abs(self.const))

    def __str__(self) -> str:
        out = ""
        for signal, coef in self.terms:
            sign = "-" if coef < 0 else "+"
            size = "" if abs(coef) == 1 else f"{abs(coef)}*"
            out += f" {sign} {size}{signal.name}" if out else f"{'-' if coef < 0 else ''}{size}{signal.name}"
        if self.const or not out:
            out += f" {'-' if self.const < 0 else '+'} {abs(self.const)}" if out else str(self.const)
        return out

    __repr__ = __str__


Linear: TypeAlias = "Signal | Form | int"
"""Whatever a linear form is made of."""


def _bounded(terms: tuple[tuple[Signal, int], ...], const: int) -> Form:
    lo = hi = const
    for signal, coef in terms:
        low, high = coef * signal.lo, coef * signal.hi
        if coef < 0:
            low, high = high, low
        lo += low
        hi += high
    return Form(terms, const, lo, hi)


def form(value: Linear) -> Form:
    """The linear form of a signal, an integer or a form.

    Raises TypeError for anything else.
    """
    if isinstance(value, Form):
        return value
    if isinstance(value, Signal):
        return value._form()
    if isinstance(value, int):
        return Form((), int(value), int(value), int(value))
    raise TypeError(f"{value!r} is no signal, linear form or integer")


def total(values: Iterable[Linear]) -> Form:
    """The sum of any number of linear forms, in time linear in the number of terms."""
    signals: dict[int, Signal] = {}
    coefs: dict[int, int] = {}
    const = 0
    for value in values:
        one = form(value)
        const += one.const
        for signal, coef in one.terms:
            signals[signal.index] = signal
            coefs[signal.index] = coefs.get(signal.index, 0) + coef
    terms = tuple((signals[index], coefs[index]) for index in sorted(coefs) if coefs[index])
    return _bounded(terms, const)


def number(bits: Iterable[Linear], signed: bool = False) -> Form:
    """sum of 2**i * bits[i]; ``signed``: the last bit counts negatively (two's complement)."""
    values = list(bits)
    weights = [1 << place for place in range(len(values))]
    if signed and weights:
        weights[-1] = -weights[-1]
    return total(form(bit) * weight for bit, weight in zip(values, weights, strict=True))
