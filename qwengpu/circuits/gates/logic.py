"""Gates over bits and words; one SwiGLU level each. A bit is any linear form that is 0 or 1."""

from __future__ import annotations

from collections.abc import Sequence

from qwengpu.circuits.circuit import Circuit, NeuronTerm, Word, row_select
from qwengpu.circuits.forms import Form, Linear, Wire, form, total


def invert(bits: Sequence[Linear]) -> tuple[Form, ...]:
    """NOT of every bit: free."""
    return tuple(1 - form(bit) for bit in bits)


def constant(value: int, width: int) -> tuple[Form, ...]:
    """The bits of a number, lowest first: free."""
    return tuple(form(value >> place & 1) for place in range(width))


def land(c: Circuit, *bits: Linear, name: str | None = None) -> Wire:
    """AND of any number of bits: 1 neuron."""
    return c.bit([(1, total(bits) - (len(bits) - 1), 1)], name or "and")


def lor(c: Circuit, *bits: Linear, name: str | None = None) -> Wire:
    """OR of any number of bits: 2 neurons. (Of bits that exclude each other the sum is their OR: free.)"""
    return c.bit([(1, 1, 1), (-1, 1 - total(bits), 1)], name or "or")


def nor(c: Circuit, *bits: Linear, name: str | None = None) -> Wire:
    """NOT OR of any number of bits: 1 neuron. ``1 - nor(...)`` is OR."""
    return c.bit([(1, 1 - total(bits), 1)], name or "nor")


def lxor(c: Circuit, a: Linear, b: Linear, name: str | None = None) -> Wire:
    """XOR: 2 neurons."""
    return c.bit([(1, total((a, b)), 1), (-2, total((a, b)) - 1, 1)], name or "xor")


def parity(c: Circuit, *bits: Linear, name: str | None = None) -> Wire:
    """XOR of n bits: n neurons."""
    ones = total(bits)
    terms: list[NeuronTerm] = [(1, ones, 1)]
    terms += [(2 if place % 2 == 0 else -2, ones - place, 1) for place in range(1, len(bits))]
    return c.bit(terms, name or "parity")


def majority(c: Circuit, a: Linear, b: Linear, d: Linear, name: str | None = None) -> Wire:
    """1 if two or three of the bits are: 2 neurons."""
    ones = total((a, b, d))
    return c.bit([(1, ones - 1, 1), (-1, ones - 2, 1)], name or "majority")


def mux(c: Circuit, s: Linear, x: Linear, y: Linear, name: str | None = None) -> Wire:
    """x if s else y, for integers of any sign: 2 neurons."""
    one, other = form(x), form(y)
    lo, hi = min(one.lo, other.lo), max(one.hi, other.hi)
    return c.neurons([(1, s, one), (1, 1 - form(s), other)], name or "mux", lo, hi)


def choose(
    c: Circuit,
    selects: Sequence[Linear],
    values: Sequence[Linear],
    name: str | None = None,
    lo: int | None = None,
    hi: int | None = None,
) -> Wire:
    """values[i] for the one i whose select is 1; 0 if none is. One neuron a value; constant zeros are free."""
    forms = [form(value) for value in values]
    terms: list[NeuronTerm] = [
        (1, select, value) for select, value in zip(selects, forms, strict=True) if value.terms or value.const
    ]
    low = min([0, *(value.lo for value in forms)]) if lo is None else lo
    high = max([0, *(value.hi for value in forms)]) if hi is None else hi
    return c.neurons(terms, name or "choose", low, high)


def choose_word(
    c: Circuit, selects: Sequence[Linear], words: Sequence[Sequence[Linear]], name: str = "choose"
) -> Word:
    """`choose` for words: words[i] for the one select that is 1; zeros if none is."""
    width = max(map(len, words))
    padded = [[*word, *([0] * (width - len(word)))] for word in words]
    return tuple(
        choose(c, selects, [word[place] for word in padded], f"{name}.{place}") for place in range(width)
    )


def mux_word(c: Circuit, s: Linear, x: Sequence[Linear], y: Sequence[Linear], name: str = "mux") -> Word:
    """x if s else y, bit by bit."""
    pairs = zip(x, y, strict=True)
    return tuple(mux(c, s, one, other, f"{name}.{place}") for place, (one, other) in enumerate(pairs))


def and_word(c: Circuit, a: Sequence[Linear], b: Sequence[Linear], name: str = "and") -> Word:
    """AND, bit by bit; for ANDN pass ``invert(b)``."""
    return tuple(land(c, x, y, name=f"{name}.{i}") for i, (x, y) in enumerate(zip(a, b, strict=True)))


def or_word(c: Circuit, a: Sequence[Linear], b: Sequence[Linear], name: str = "or") -> Word:
    """OR, bit by bit."""
    return tuple(lor(c, x, y, name=f"{name}.{i}") for i, (x, y) in enumerate(zip(a, b, strict=True)))


def xor_word(c: Circuit, a: Sequence[Linear], b: Sequence[Linear], name: str = "xor") -> Word:
    """XOR, bit by bit."""
    return tuple(lxor(c, x, y, f"{name}.{i}") for i, (x, y) in enumerate(zip(a, b, strict=True)))


def gate_word(c: Circuit, enable: Linear, a: Sequence[Linear], name: str = "gate") -> Word:
    """The word if ``enable`` else zeros."""
    return tuple(c.bit([(1, enable, bit)], f"{name}.{place}") for place, bit in enumerate(a))


def bitwise(
    c: Circuit,
    a: Sequence[Linear],
    b: Sequence[Linear],
    is_and: Linear,
    is_or: Linear,
    is_xor: Linear,
    is_andn: Linear,
    name: str = "bitwise",
) -> Word:
    """The one of a & b, a | b, a ^ b, a & ~b whose select is 1, else zeros: 3 neurons a bit.

    With p = a + b - 1 and q = a - b: relu(p) is AND, relu(q) is ANDN, AND + ANDN = a, and so on.
    """
    and_, or_, xor, andn = map(form, (is_and, is_or, is_xor, is_andn))
    out = []
    for place, (x, y) in enumerate(zip(a, b, strict=True)):
        only_x, only_y = form(x) - form(y), form(y) - form(x)
        terms: list[NeuronTerm] = [
            (1, total((x, y)) - 1, total((and_, or_))),
            (1, only_x, total((or_, xor, andn))),
            (1, only_y, total((or_, xor))),
        ]
        out.append(c.bit(terms, f"{name}.{place}"))
    return tuple(out)


def decode(c: Circuit, bits: Sequence[Linear], enable: Linear | None = None, name: str = "decode") -> Word:
    """One-hot of the number that the bits spell (2**n wires, 1 neuron each); zeros if not enabled."""
    return tuple(
        c.bit([(1, row_select(bits, row, enable), 1)], f"{name}.{row}") for row in range(1 << len(bits))
    )


def encode(onehot: Sequence[Linear]) -> tuple[Form, ...]:
    """The number of the one select that is 1, as bits: free (linear)."""
    return lookup(onehot, list(range(len(onehot))), max(1, (len(onehot) - 1).bit_length()))


def lookup(onehot: Sequence[Linear], table: Sequence[int], width: int) -> tuple[Form, ...]:
    """table[i] for the one select i that is 1, as ``width`` bits: free (linear)."""
    pairs = list(zip(onehot, table, strict=True))
    return tuple(total(one for one, entry in pairs if entry >> place & 1) for place in range(width))


def lowest(c: Circuit, bits: Sequence[Linear], name: str = "lowest") -> Word:
    """One-hot of the lowest bit that is 1: 1 neuron each, quadratic in nonzeros."""
    return tuple(
        c.bit([(1, form(bit) - total(bits[:place]), 1)], f"{name}.{place}") for place, bit in enumerate(bits)
    )


def highest(c: Circuit, bits: Sequence[Linear], name: str = "highest") -> Word:
    """One-hot of the highest bit that is 1."""
    return tuple(reversed(lowest(c, tuple(reversed(bits)), name)))
