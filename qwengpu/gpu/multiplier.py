"""MUL, MULHU, MULHS of one slot in one lane: five levels behind the operands, the last is the slot's.

Level 1 multiplies hexadecimal digits and sums the products by columns of weight 16**k, at most 1,815. Levels 2
and 3 carry what exceeds 127, then what exceeds 15, into the next column: at most 29 is left. Level 4 finds
how each group of three columns answers to a carry from below, level 5 the digits.
"""

from __future__ import annotations

from dataclasses import dataclass

from qwengpu.circuits import Circuit, Form, Linear, Wire, form, total
from qwengpu.gpu.alu import Result
from qwengpu.gpu.digits import BASE, DIGITS, Digits, Terms, gated_step, high, quotient, weigh
from qwengpu.gpu.rom import Fields
from qwengpu.isa import Op

HEX = 16
NIBBLES = DIGITS // 2
COLUMNS = 2 * NIBBLES
COARSE = 128
"""The first carry moves multiples of 128 = 8 * 16."""
GROUP = 3
"""Columns that are one number. More would spare answers, but the sums of level 5 would exceed 2**24."""


@dataclass(frozen=True)
class MultiplyControl:
    """Control wires of one slot."""

    low: Wire
    upper: Wire
    signed: Wire


def make_multiply_control(c: Circuit, block: Fields, slot: int) -> MultiplyControl:
    """One level behind the ROM."""
    return MultiplyControl(
        low=block.any_op(slot, [Op.MUL], "mul"),
        upper=block.any_op(slot, [Op.MULHU, Op.MULHS], "mul_upper"),
        signed=block.any_op(slot, [Op.MULHS], "mul_signed"),
    )


def make_multiply(c: Circuit, control: MultiplyControl, a: Digits, b: Digits, addend: Digits) -> Result:
    """The product's low or high word, plus the addend."""
    columns = _columns(c, control, a, b, addend)
    once = _carry(c, columns, COARSE, COARSE // HEX, "fold1")
    twice = _carry(c, once, HEX, 1, "fold2")
    return Result(_digits(c, control, twice))


def _hex(digits: Digits) -> list[Form]:
    return [form(digits[2 * i]) + BASE * form(digits[2 * i + 1]) for i in range(NIBBLES)]


def _columns(c: Circuit, control: MultiplyControl, a: Digits, b: Digits, addend: Digits) -> list[Form]:
    """Sums of digit products. A signed high word is the unsigned one - (a < 0) * b - (b < 0) * a."""
    x, y, z = _hex(a), _hex(b), _hex(addend)
    a_negative = high(a[-1], control.signed)
    b_negative = high(b[-1], control.signed)
    out: list[Form] = []
    for k in range(COLUMNS):
        terms: Terms = [(1, x[i], y[k - i]) for i in range(NIBBLES) if 0 <= k - i < NIBBLES]
        most = (HEX - 1) ** 2 * len(terms)
        if k < NIBBLES:
            terms.append((1, control.low, z[k]))
            most += HEX - 1
        else:
            place = k - NIBBLES
            terms.append((1, control.upper, z[place]))
            # - y is NOT y + 1, modulo 2**32.
            one = 1 if place == 0 else 0
            for negative, other in ((a_negative, y[place]), (b_negative, x[place])):
                terms += [(coef, gate, HEX - 1 + one - other) for coef, gate, _ in negative]
            most += 3 * (HEX - 1) + 2 * one
        out.append(form(c.neurons(terms, f"column.{k}", 0, most)))
    return out


def _carry(c: Circuit, columns: list[Form], unit: int, weight: int, name: str) -> list[Form]:
    """Every column modulo ``unit``, plus ``weight`` times what the column below had above it."""
    out: list[Form] = []
    below: Linear = 0
    for k, column in enumerate(columns):
        rest = c.neurons([(1, 1, column), *quotient(column, unit, 1, -unit)], f"{name}.rest{k}", 0, unit - 1)
        out.append(form(rest) + form(below) * weight)
        if k + 1 < len(columns):
            below = c.neurons(quotient(column, unit), f"{name}.carry{k}", 0, column.hi // unit)
    return out


def _digits(c: Circuit, control: MultiplyControl, columns: list[Form]) -> tuple[Terms, ...]:
    """Base-4 digits of the low word, or of the high word.

    A group of number W answers to a carry with v = [W >= 4095] + [W >= 4096]: 0 stops it, 1 hands it on,
    2 makes one. So the carry into group q is [V >= 2**q] with V = sum of 2**i * v of group i < q, and
    W + carry >= t is 2**q * W + V >= 2**q * t: no level is needed for the carry itself.
    """
    out: list[Terms] = [[] for _ in range(DIGITS)]
    answers: list[Wire] = []
    for first in range(0, COLUMNS, GROUP):
        group = columns[first : first + GROUP]
        carries = total(form(v) * (1 << i) for i, v in enumerate(answers))
        scale = 1 << len(answers)
        for place, column in enumerate(group):
            up = control.low if first + place < NIBBLES else control.upper
            below = weigh(group[:place], HEX) * scale + carries
            upto = weigh(group[: place + 1], HEX) * scale + carries
            unit = HEX**place * scale
            target = 2 * ((first + place) % NIBBLES)
            halves = quotient(upto, BASE * unit, up)
            out[target] += [(1, column, up), *quotient(below, unit, up, most=1)]
            out[target] += [(-BASE * coef, gate, on) for coef, gate, on in halves]
            out[target + 1] += [*halves, *quotient(upto, HEX * unit, up, -BASE)]
        whole = HEX ** len(group)
        if first + GROUP < COLUMNS:
            number = weigh(group, HEX)
            answer = [*gated_step(number, whole - 1), *gated_step(number, whole)]
            answers.append(c.neurons(answer, f"group{len(answers)}.answer", 0, 2))
    return tuple(out)
