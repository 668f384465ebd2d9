"""Words as sixteen base-4 digits, and the gates that work on them.

A 32-bit word on the datapath is 16 wires (or forms) of 0...3, lowest first. Against 32 bits that is half the
channels and half the neurons of every selector, and sums of digits are what the adder wants anyway.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from qwengpu.circuits import Circuit, Form, Linear, NeuronTerm, Raw, Wire, form, total
from qwengpu.spec import WORD_BITS

BASE = 4
DIGITS = WORD_BITS // 2
HALF = DIGITS // 2
"""Digits of half a word: sums of 16-bit numbers stay far below 2**24, where float32 is exact."""

Digits: TypeAlias = tuple[Linear, ...]
"""Base-4 digits, lowest first."""

Terms: TypeAlias = list[NeuronTerm]


def weigh(digits: Sequence[Linear], base: int = BASE) -> Form:
    """sum of base**i * digits[i]: free."""
    return total(form(digit) * base**place for place, digit in enumerate(digits))


def pairs(bits: Sequence[Linear]) -> Digits:
    """Bits as base-4 digits: free."""
    padded = [*bits, *([0] * (len(bits) % 2))]
    return tuple(form(padded[i]) + form(padded[i + 1]) * 2 for i in range(0, len(padded), 2))


def gated_step(x: Linear, threshold: int, on: Linear = 1, coef: int = 1, up: Linear = 1) -> Terms:
    """coef * [x >= threshold and on] * up of an integer x, where ``on`` is 1, or 0 and less: 2 or 3 neurons.

    The step is made from the side where x has less way to go, ``[x >= t]`` or ``1 - [x < t]``: partial sums
    stay smaller, and many steps of one x share the third neuron.
    """
    value, enable = form(x), form(on)
    if value.hi < threshold:
        return []
    above, below = value.hi - threshold, threshold - value.lo
    if above <= max(below, 1):
        return _rise(value - threshold, above, enable, coef, up)
    return [(coef, enable, up), *_rise(threshold - 1 - value, below - 1, enable, -coef, up)]


def _rise(distance: Form, most: int, enable: Form, coef: int, up: Linear) -> Terms:
    """coef * [distance >= 0 and enable] * up, for a distance up to ``most``."""
    gate = distance + 1
    if enable.terms or enable.const != 1:
        gate = gate + (enable - 1) * (most + 1)
    terms: Terms = [(coef, gate, up)]
    if most > 0:
        terms.append((-coef, gate - 1, up))
    return terms


def quotient(x: Linear, unit: int, up: Linear = 1, coef: int = 1, most: int | None = None) -> Terms:
    """coef * floor(x / unit) * up for an integer x >= 0: two neurons a multiple of ``unit``.

    ``most``: the largest quotient, where the designer knows it better than the interval of x.
    """
    value = form(x)
    highest = value.hi // unit if most is None else min(most, value.hi // unit)
    if unit == 1 and most is None:
        return [(coef, value, up)]
    terms: Terms = []
    for multiple in range(1, highest + 1):
        terms += gated_step(value, multiple * unit, 1, coef, up)
    return terms


def is_value(x: Linear, value: int, on: Linear = 1, coef: int = 1, up: Linear = 1) -> Terms:
    """coef * [x == value and on] * up for an integer x: at most three neurons."""
    where, enable = form(x), form(on)
    off = (enable - 1) * (max(where.hi - value, 0) + 1)
    if where.lo == value:
        return [(coef, value + 1 - where + enable - 1, up)]
    terms: Terms = [
        (coef, where - (value - 1) + off, up),
        (-2 * coef, where - value + off, up),
        (coef, where - (value + 1) + off, up),
    ]
    return [term for term in terms if form(term[1]).hi > 0]


def odd(digit: Linear, on: Linear = 1, coef: int = 1) -> Terms:
    """coef * [digit is 1 or 3, and on]."""
    shift = (form(on) - 1) * 3
    value = form(digit) + shift
    return [(coef, value, 1), (-2 * coef, value - 1, 1), (2 * coef, value - 2, 1)]


def high(digit: Linear, on: Linear = 1, coef: int = 1) -> Terms:
    """coef * [digit is 2 or 3, and on]."""
    return gated_step(digit, 2, on, coef)


def pick(selects: Sequence[Linear], values: Sequence[Linear | None]) -> Terms:
    """values[i] of the one i whose select is 1; entries that are None or 0 cost nothing."""
    terms: Terms = []
    for select, value in zip(selects, values, strict=True):
        if value is not None and form(value) != form(0) and form(select).hi > 0:
            terms.append((1, select, value))
    return terms


def high_bits(c: Circuit, digits: Sequence[Linear], name: str) -> tuple[Wire, ...]:
    """The upper bit of each digit; the lower one is ``digit - 2 * upper``: free. One level."""
    return tuple(c.bit(high(digit), f"{name}.{place}") for place, digit in enumerate(digits))


def bits_of(digits: Sequence[Linear], upper: Sequence[Linear]) -> tuple[Form, ...]:
    """All bits, lowest first, of digits whose upper bits are known: free."""
    out: list[Form] = []
    for digit, bit in zip(digits, upper, strict=True):
        out += [form(digit) - form(bit) * 2, form(bit)]
    return tuple(out)


def digit_onehot(c: Circuit, x: Linear, unit: int, name: str, base: int = BASE) -> tuple[Wire, ...]:
    """Wires [floor(x / unit) mod base == v] for v = 0...base - 1 of an integer x >= 0: one level."""
    value = form(x)
    most = value.hi // unit
    rows: list[Terms] = [[] for _ in range(base)]
    rows[0].append((1, 1, 1))
    for multiple in range(1, most + 1):
        rows[multiple % base] += gated_step(value, multiple * unit)
        rows[(multiple - 1) % base] += gated_step(value, multiple * unit, 1, -1)
    return tuple(c.bit(terms, f"{name}.is{v}") for v, terms in enumerate(rows))


def unit_bit(x: Linear, unit: int) -> Terms:
    """[floor(x / unit) is odd] of an integer x >= 0."""
    value = form(x)
    terms: Terms = []
    for multiple in range(1, value.hi // unit + 1):
        terms += gated_step(value, multiple * unit, 1, 1 if multiple & 1 else -1)
    return terms


class Collector:
    """Makes wires of raw columns; ``joined``: how many bits of a number may share a wire.

    Where 1/sqrt(dk) is no power of two, a head gives a bit as 1 up to half a unit in the last place of float32,
    which the sum of two bits still rounds away, but not that of many.
    """

    def __init__(self, c: Circuit, joined: int = WORD_BITS) -> None:
        self._c = c
        self.joined = joined

    def number(self, columns: Sequence[Sequence[Raw]], name: str) -> Linear:
        """sum over bits i of 2**i * (sum of the raw columns[i], of which at most one is 1)."""
        if len(columns) <= self.joined:
            return self._wire(columns, name)
        starts = range(0, len(columns), self.joined)
        return total(
            self._wire(columns[start : start + self.joined], f"{name}.{start}") * (1 << start)
            for start in starts
        )

    def _wire(self, columns: Sequence[Sequence[Raw]], name: str) -> Wire:
        weighted = [raw * (1 << place) for place, raws in enumerate(columns) for raw in raws]
        return self._c.collect(total(weighted), name, 0, (1 << len(columns)) - 1)

    def digits(self, columns: Sequence[Sequence[Raw]], name: str) -> Digits:
        """Base-4 digits of bit columns, lowest first."""
        return tuple(
            self.number(columns[place : place + 2], f"{name}.{place // 2}")
            for place in range(0, len(columns), 2)
        )
