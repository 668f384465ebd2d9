"""32 x 32 -> 64 bit multiplication by 8-bit digits, signed or not, with addends.

Level 1 multiplies digits and sums them by columns of weight 256**k; then the column sums become
bits, `to_bits`; one level makes two words of the three overlapping ones, two more add.
"""

from __future__ import annotations

from collections.abc import Sequence

from qwengpu.circuits.circuit import Circuit, NeuronTerm, Word
from qwengpu.circuits.forms import Form, Linear, Wire, form, number
from qwengpu.circuits.gates.adder import add, carry_save
from qwengpu.circuits.gates.numbers import to_bits

DIGIT = 8
COLUMN_BITS = 18
OFFSET = 1 << 16
"""Added to a column that a signed digit can make negative; the sum of all offsets is 0 modulo 2**64."""


def multiply(
    c: Circuit,
    a: Sequence[Linear],
    b: Sequence[Linear],
    signed: Linear = 0,
    sign_a: Linear = 0,
    sign_b: Linear = 0,
    addend: Sequence[NeuronTerm | Linear] = (),
    width: int = 64,
    digit: int = 3,
    name: str = "mul",
) -> Word:
    """The low ``width`` bits of a * b + addend, for 32-bit words: 4 + ceil(18 / digit) layers.

    ``signed`` 1: both are two's complement; then ``sign_a`` must be a[31] and ``sign_b`` b[31], and both 0
    otherwise (one AND each, made earlier by the caller; leave all three 0 for unsigned only).
    ``addend``: up to 8 byte columns 0...255 that are added at weight 256**k; a column may be a neuron
    term (1, select, form), so that it is gated without another level.
    """
    columns = _columns(c, a, b, (form(signed), form(sign_a), form(sign_b)), addend, width, name)
    columns_bits = [
        to_bits(c, column, COLUMN_BITS, digit, f"{name}.col{k}") for k, column in enumerate(columns)
    ]
    rows = [[form(0)] * width for _ in range(3)]
    for k, bits in enumerate(columns_bits):
        for place, bit in enumerate(bits):
            at = DIGIT * k + place
            if at < width:
                rows[place // DIGIT][at] = form(bit)
    saved = carry_save(c, rows[0], rows[1], rows[2], f"{name}.csa")
    return add(c, saved.bits, (form(0), *map(form, saved.carries[:-1])), name=name).bits


def _columns(
    c: Circuit,
    a: Sequence[Linear],
    b: Sequence[Linear],
    signs: tuple[Form, Form, Form],
    addend: Sequence[NeuronTerm | Linear],
    width: int,
    name: str,
) -> list[Wire]:
    signed, sign_a, sign_b = signs
    digits = 32 // DIGIT
    x = [number(a[DIGIT * i : DIGIT * i + DIGIT]) for i in range(digits)]
    y = [number(b[DIGIT * i : DIGIT * i + DIGIT]) for i in range(digits)]
    x[-1] = x[-1] - sign_a * (1 << DIGIT)
    y[-1] = y[-1] - sign_b * (1 << DIGIT)
    with_sign = signed != form(0)
    count = -(-width // DIGIT)
    offsets = _offsets(digits) if with_sign else [0] * 8
    columns = []
    for k in range(count):
        terms: list[NeuronTerm] = []
        for i in range(max(0, k - digits + 1), min(digits, k + 1)):
            terms += _product(x[i], y[k - i], i == digits - 1 and with_sign)
        if offsets[k]:
            terms.append((offsets[k], signed, 1))
        if k < len(addend):
            extra = addend[k]
            terms.append(extra if isinstance(extra, tuple) else (1, 1, extra))
        columns.append(c.neurons(terms, f"{name}.column{k}", 0, (1 << COLUMN_BITS) - 1))
    return columns


def _product(x: Form, y: Form, x_signed: bool) -> list[NeuronTerm]:
    """x * y; a gate must not be negative, so a signed x is shifted up and the excess taken off."""
    if not x_signed:
        return [(1, x, y)]
    shift = 1 << (DIGIT - 1)
    return [(1, x + shift, y), (-shift, 1, y)]


def _offsets(digits: int) -> list[int]:
    """What each of 8 columns gets if signed: OFFSET where a product can be negative, bytes that cancel it."""
    lifted = [OFFSET if digits - 1 <= k <= 2 * digits - 2 else 0 for k in range(8)]
    whole = sum(offset << (DIGIT * k) for k, offset in enumerate(lifted))
    cancel = -whole % (1 << 64)
    return [offset + (cancel >> (DIGIT * k) & 255) for k, offset in enumerate(lifted)]
