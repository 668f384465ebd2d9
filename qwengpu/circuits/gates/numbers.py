"""Gates over small integers: thresholds, tables, bits of a number, counts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from qwengpu.circuits.circuit import Circuit, NeuronTerm, Word
from qwengpu.circuits.errors import CircuitError
from qwengpu.circuits.forms import Form, Linear, Wire, form, number, total


def at_least_terms(x: Linear, threshold: int, coef: int = 1) -> list[NeuronTerm]:
    """coef * [x >= threshold] for an integer x: relu(x - t + 1) - relu(x - t)."""
    value = form(x)
    if value.hi < threshold:
        return []
    if value.lo >= threshold:
        return [(coef, 1, 1)]
    terms: list[NeuronTerm] = [(coef, value - (threshold - 1), 1)]
    if value.hi > threshold:
        terms.append((-coef, value - threshold, 1))
    return terms


def at_least(c: Circuit, x: Linear, threshold: int, name: str | None = None) -> Wire:
    """[x >= threshold]: 1 layer, 2 neurons."""
    return c.bit(at_least_terms(x, threshold), name or "ge")


def equals(c: Circuit, x: Linear, value: int, name: str | None = None) -> Wire:
    """[x == value] for an integer x: 1 layer, 3 neurons."""
    x = form(x)
    return c.bit([(1, x - (value - 1), 1), (-2, x - value, 1), (1, x - (value + 1), 1)], name or "eq")


def is_zero(c: Circuit, x: Linear, name: str | None = None) -> Wire:
    """[x == 0] for an integer x >= 0: 1 layer, 1 neuron."""
    if form(x).lo < 0:
        raise CircuitError(f"is_zero of {form(x)}, which can be negative")
    return c.bit([(1, 1 - form(x), 1)], name or "zero")


def table_terms(x: Linear, values: Sequence[int]) -> list[NeuronTerm]:
    """values[x] for an integer x of 0...len(values) - 1: a piecewise linear function, one neuron a bend."""
    x = form(x)
    if x.lo < 0 or x.hi >= len(values):
        raise CircuitError(f"table of {len(values)} entries for {x}, which is {x.lo}..{x.hi}")
    terms: list[NeuronTerm] = [(values[0], 1, 1)] if values[0] else []
    slope = 0
    for place in range(len(values) - 1):
        bend = values[place + 1] - values[place] - slope
        if bend:
            terms.append((bend, x - place, 1))
            slope += bend
    return terms


def table(c: Circuit, x: Linear, values: Sequence[int], name: str | None = None) -> Wire:
    """values[x] for an integer x of 0...len(values) - 1: 1 layer, at most one neuron an entry.

    Several tables of the same x share their neurons.
    """
    return c.neurons(table_terms(x, values), name or "table", min(values), max(values))


def table_word(c: Circuit, x: Linear, values: Sequence[int], width: int, name: str = "table") -> Word:
    """`table` whose entries are numbers of ``width`` bits: a wire a bit."""
    return tuple(
        table(c, x, [value >> place & 1 for value in values], f"{name}.{place}") for place in range(width)
    )


def onehot(c: Circuit, x: Linear, name: str = "onehot") -> Word:
    """Wires [x == 0], [x == 1], ... for an integer x of 0...hi: 1 layer, hi + 1 neurons in all."""
    count = form(x).hi + 1
    return tuple(
        table(c, x, [int(i == place) for i in range(count)], f"{name}.{place}") for place in range(count)
    )


def to_bits(c: Circuit, x: Linear, width: int, digit: int = 3, name: str = "bits") -> Word:
    """The bits of an integer x of 0...2**width - 1, lowest first.

    ceil(width / digit) layers, top digit first, 2 * (2**digit - 1) + 1 neurons each; 18 bits cost 6 layers
    and about 700 nonzeros with digits of 3, 3 layers and 2,500 with digits of 6. What is left below a digit
    becomes a wire one level later, meanwhile it is a form: a remainder straight from the thresholds would
    add up multiples of 2**width * 2**digit, too much for one row.
    """
    rest, known = form(x), 1 << width
    if rest.lo < 0 or rest.hi >= known:
        raise CircuitError(f"{width} bits of {rest}, which is {rest.lo}..{rest.hi}")
    bits: list[Wire] = []
    below = width
    while below > 0:
        unit = max(0, below - digit) if below % digit == 0 else below - below % digit
        top = min(form(x).hi, known - 1)
        found = [c.bit(_wave(rest, place, top), f"{name}.{place}") for place in range(unit, below)]
        bits = [*found, *bits]
        if unit:
            whole = rest
            if below < width:
                whole = form(c.neurons([(1, rest, 1)], f"{name}.below{below}", 0, known - 1))
            taken = (bit * (1 << place) for place, bit in zip(range(unit, below), found, strict=True))
            rest = whole - total(taken)
            known = 1 << unit
        below = unit
    return tuple(bits)


def _wave(x: Form, place: int, top: int) -> list[NeuronTerm]:
    """Bit ``place`` of x, which is at most ``top``, from thresholds at multiples of 2**place."""
    terms: list[NeuronTerm] = []
    for multiple in range(1, (top >> place) + 1):
        terms += at_least_terms(x, multiple << place, 1 if multiple & 1 else -1)
    return terms


def popcount(c: Circuit, bits: Sequence[Linear], name: str = "popc") -> Word:
    """How many bits are 1, as bits: 2 layers, 1 + (n + 1) neurons."""
    count = c.linear(total(bits), f"{name}.count")
    return table_word(c, count, list(range(count.hi + 1)), count.hi.bit_length(), name)


class Leading(NamedTuple):
    """``onehot[i]``: bit i is the highest one; ``none``: no bit is 1; ``zeros``: leading zeros, as bits."""

    onehot: tuple[Form, ...]
    none: Form
    zeros: tuple[Form, ...]


def leading(c: Circuit, bits: Sequence[Linear], name: str = "clz") -> Leading:
    """The highest one and the number of zeros above it (all bits, if none is 1): 1 layer, n neurons.

    The results are linear forms over n wires "every bit from i up is 0".
    """
    width = len(bits)
    clear = [form(c.bit([(1, 1 - total(bits[i:]), 1)], f"{name}.clear{i}")) for i in range(width)]
    clear.append(form(1))
    top = tuple(clear[i + 1] - clear[i] for i in range(width))
    distance = [width - 1 - i for i in range(width)]
    count = tuple(
        total([*(one for one, z in zip(top, distance, strict=True) if z >> place & 1)])
        + (clear[0] if width >> place & 1 else 0)
        for place in range(width.bit_length())
    )
    return Leading(top, clear[0], count)


class Order(NamedTuple):
    """How two words compare: unsigned less, signed less, equal."""

    ltu: Wire
    lts: Wire
    eq: Wire


def compare(c: Circuit, a: Sequence[Linear], b: Sequence[Linear], name: str = "cmp") -> Order:
    """Unsigned and signed order of two words of 32 bits (or less): 2 layers, 12 and 5 neurons."""
    half = (len(a) + 1) // 2
    low = _halves(c, number(a[:half]) - number(b[:half]), f"{name}.low")
    high = _halves(c, number(a[half:]) - number(b[half:]), f"{name}.high")
    signed = _halves(c, number(a[half:], signed=True) - number(b[half:], signed=True), f"{name}.signed")
    equal = c.bit([(1, 1 - total((*low, *high)), 1)], f"{name}.eq")
    return Order(_less(c, high, low, f"{name}.ltu"), _less(c, signed, low, f"{name}.lts"), equal)


def _halves(c: Circuit, difference: Form, name: str) -> tuple[Wire, Wire]:
    return at_least(c, -difference, 1, f"{name}.lt"), at_least(c, difference, 1, f"{name}.gt")


def _less(c: Circuit, high: tuple[Wire, Wire], low: tuple[Wire, Wire], name: str) -> Wire:
    return c.bit([(1, 1, high[0]), (1, low[0] - high[0] - high[1], 1)], name)


def equal_words(c: Circuit, a: Sequence[Linear], b: Sequence[Linear], name: str = "equal") -> Wire:
    """1 if two words of up to 32 bits are equal: 2 layers, 8 and 1 neurons."""
    half = (len(a) + 1) // 2
    parts = (
        *_halves(c, number(a[:half]) - number(b[:half]), f"{name}.low"),
        *_halves(c, number(a[half:]) - number(b[half:]), f"{name}.high"),
    )
    return c.bit([(1, 1 - total(parts), 1)], name)
