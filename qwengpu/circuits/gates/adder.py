"""32-bit addition in two levels, sums of three operands, negation and subtraction by complement.

Words are cut into digits of 4 bits. Level 1 finds, for each digit, whether its sum reaches 15 and 16, and
the XOR of each pair of bits. A digit's v = [sum >= 15] + [sum >= 16] is 0 (stops a carry), 1 (hands it
on) or 2 (makes one), so the carry out of digits 0...j-1 is [cin + sum of v_i * 2**i >= 2**j]. With w the
sum of the m bits below bit m of digit j, the carry into that bit is
[cin + sum of v_i * 2**i + w * 2**j >= 2**(j + m)]: level 2 takes it straight into the XOR.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from qwengpu.circuits.circuit import Circuit, NeuronTerm, Word
from qwengpu.circuits.forms import Form, Linear, Wire, form, number, total
from qwengpu.circuits.gates.logic import invert, lxor, majority, parity
from qwengpu.circuits.gates.numbers import at_least, at_least_terms

DIGIT = 4


class Sum(NamedTuple):
    """A sum's bits, lowest first, and the carry out of the highest."""

    bits: Word
    carry: Wire


def add(c: Circuit, a: Sequence[Linear], b: Sequence[Linear], carry: Linear = 0, name: str = "add") -> Sum:
    """a + b + carry for words of equal width: 2 layers, for 32 bits 182 neurons."""
    ones = [lxor(c, x, y, f"{name}.xor{i}") for i, (x, y) in enumerate(zip(a, b, strict=True))]
    reach = form(carry)  # cin + sum of v_i * 2**i over the digits done
    bits: list[Wire] = []
    digits = range(0, len(a), DIGIT)
    for digit, start in enumerate(digits):
        for place in range(start, min(start + DIGIT, len(a))):
            below = number(a[start:place]) + number(b[start:place])
            into = reach + below * (1 << digit)
            threshold = 1 << (digit + place - start)
            bits.append(_flip(c, ones[place], into, threshold, f"{name}.{place}"))
        stop = min(start + DIGIT, len(a))
        whole = number(a[start:stop]) + number(b[start:stop])
        top = 1 << (stop - start)
        v = c.neurons(
            [*at_least_terms(whole, top - 1), *at_least_terms(whole, top)], f"{name}.reach{digit}", 0, 2
        )
        reach = reach + v * (1 << digit)
    return Sum(tuple(bits), at_least(c, reach, 1 << len(digits), f"{name}.carry"))


def _flip(c: Circuit, bit: Wire, into: Form, threshold: int, name: str) -> Wire:
    """bit XOR [into >= threshold]."""
    terms: list[NeuronTerm] = [(1, 1, bit)]
    terms += [(coef, gate, 1 - 2 * bit) for coef, gate, _ in at_least_terms(into, threshold)]
    return c.bit(terms, name)


def subtract(
    c: Circuit, a: Sequence[Linear], b: Sequence[Linear], borrow: Linear = 0, name: str = "sub"
) -> Sum:
    """a - b - borrow; the carry is 1 if there is *no* borrow out. 2 layers."""
    return add(c, a, invert(b), 1 - form(borrow), name)


def add_or_subtract(
    c: Circuit,
    a: Sequence[Linear],
    b: Sequence[Linear],
    minus: Linear,
    carry: Linear = 0,
    name: str = "addsub",
) -> Sum:
    """a + b + carry, or a - b - carry if ``minus``: 3 layers. The carry out is 1 for a carry or no borrow."""
    other = [lxor(c, bit, minus, f"{name}.b{place}") for place, bit in enumerate(b)]
    return add(c, a, other, lxor(c, carry, minus, f"{name}.cin"), name)


class CarrySave(NamedTuple):
    """Two words whose sum is that of three: ``bits``, and ``carries`` one place higher."""

    bits: Word
    carries: Word


def carry_save(
    c: Circuit, x: Sequence[Linear], y: Sequence[Linear], z: Sequence[Linear], name: str = "csa"
) -> CarrySave:
    """Three words into two, 1 layer, 3 neurons a bit: x + y + z = bits + 2 * carries."""
    triples = list(zip(x, y, z, strict=True))
    bits = tuple(parity(c, *three, name=f"{name}.sum{i}") for i, three in enumerate(triples))
    return CarrySave(
        bits, tuple(majority(c, *three, name=f"{name}.carry{i}") for i, three in enumerate(triples))
    )


def add3(
    c: Circuit,
    x: Sequence[Linear],
    y: Sequence[Linear],
    z: Sequence[Linear],
    carry: Linear = 0,
    name: str = "add3",
) -> Sum:
    """x + y + z + carry modulo 2**width for words of equal width: 3 layers.

    For an exact signed sum, sign-extend the operands to two bits more than they have (repeating a form
    is free). ``carry`` of the result is the adder's own and means nothing by itself.
    """
    saved = carry_save(c, x, y, z, f"{name}.csa")
    return add(c, saved.bits, (form(0), *map(form, saved.carries[:-1])), carry, name)


def extend(word: Sequence[Linear], width: int, fill: Linear = 0) -> tuple[Form, ...]:
    """The word widened with ``fill`` bits (0, or the sign): free."""
    return (*map(form, word), *(form(fill) for _ in range(width - len(word))))


def is_nonzero_terms(bits: Sequence[Linear]) -> list[NeuronTerm]:
    """Neurons of OR over any number of bits."""
    return [(1, 1, 1), (-1, 1 - total(bits), 1)]
