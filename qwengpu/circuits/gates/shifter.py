"""Shifts of 32-bit words by any 32-bit count, bit reversal, byte permutation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from qwengpu.circuits.circuit import Circuit, NeuronTerm, Word, row_select
from qwengpu.circuits.forms import Form, Linear, Wire, form, total
from qwengpu.circuits.gates.logic import decode, mux

FINE = 3
"""Bits of the count that the first stage shifts by."""


class ShiftKind(NamedTuple):
    """Selects, at most one is 1 (none: the result is 0): shift left, right logical, right arithmetic."""

    left: Linear
    logical: Linear
    arithmetic: Linear


def reverse(bits: Sequence[Linear]) -> tuple[Form, ...]:
    """Bit reversal: free."""
    return tuple(form(bit) for bit in reversed(bits))


def shift(
    c: Circuit, a: Sequence[Linear], count: Sequence[Linear], kind: ShiftKind, name: str = "shift"
) -> Word:
    """a shifted by a count of any number of bits: 3 layers, for 32 bits 482 neurons.

    Counts of the width or more give 0, or the sign in every bit. A left shift is a right shift between two
    bit reversals: level 1 reverses and decodes, level 2 shifts by 0...7, level 3 by multiples of 8 and
    reverses back.
    """
    width = len(a)
    small = width.bit_length() - 1
    left, logical, arithmetic = map(form, kind)
    flipped = [mux(c, left, a[width - 1 - i], a[i], f"{name}.in{i}") for i in range(width)]
    fill = c.bit([(1, total((arithmetic, a[-1])) - 1, 1)], f"{name}.fill")
    beyond = total(count[small:])
    fine = decode(c, count[: min(FINE, small)], name=f"{name}.fine")
    coarse_bits = count[min(FINE, small) : small]
    right, back = (
        [
            c.bit([(1, row_select(coarse_bits, row, on) - beyond, 1)], f"{name}.{label}{row}")
            for row in range(1 << len(coarse_bits))
        ]
        for label, on in (("right", total((logical, arithmetic))), ("left", left))
    )
    over = c.bit([(1, beyond, 1), (-1, beyond - 1, 1)], f"{name}.over") if count[small:] else form(0)
    once = _stage(c, flipped, fill, fine, 1, f"{name}.once")
    return _last_stage(c, once, fill, (right, back), over, f"{name}")


def _stage(
    c: Circuit, a: Sequence[Wire], fill: Wire, selects: Sequence[Wire], unit: int, name: str
) -> list[Wire]:
    return [
        c.bit([(1, one, _at(a, i + k * unit, fill)) for k, one in enumerate(selects)], f"{name}.{i}")
        for i in range(len(a))
    ]


def _last_stage(
    c: Circuit,
    a: Sequence[Wire],
    fill: Wire,
    selects: tuple[Sequence[Wire], Sequence[Wire]],
    over: Linear,
    name: str,
) -> Word:
    right, back = selects
    unit = len(a) // len(right)
    out = []
    for i in range(len(a)):
        terms: list[NeuronTerm] = [(1, one, _at(a, i + k * unit, fill)) for k, one in enumerate(right)]
        terms += [(1, one, _at(a, len(a) - 1 - i + k * unit, form(0))) for k, one in enumerate(back)]
        terms.append((1, total((over, fill)) - 1, 1))
        out.append(c.bit([term for term in terms if form(term[2]) != form(0)], f"{name}.{i}"))
    return tuple(out)


def _at(a: Sequence[Wire], place: int, fill: Linear) -> Linear:
    return a[place] if place < len(a) else fill


def permute_bytes(
    c: Circuit, a: Sequence[Linear], b: Sequence[Linear], selector: Sequence[Linear], name: str = "prmt"
) -> Word:
    """PTX prmt, generic mode, of 32-bit words: 2 layers, 64 and 288 neurons.

    Byte i of the result: nibble i of the selector picks byte (s & 7) of b:a, if s & 8 its top bit eight times.
    """
    pool = [*a, *b]
    out: list[Wire] = []
    for byte in range(4):
        s = selector[4 * byte : 4 * byte + 4]
        picks = [
            [c.bit([(1, row_select(s, k | sign << 3), 1)], f"{name}.pick{byte}.{k}.{sign}") for sign in (0, 1)]
            for k in range(8)
        ]
        for bit in range(8):
            terms: list[NeuronTerm] = []
            for k, (plain, sign) in enumerate(picks):
                terms += [(1, plain, pool[8 * k + bit]), (1, sign, pool[8 * k + 7])]
            out.append(c.bit(terms, f"{name}.{8 * byte + bit}"))
    return tuple(out)
