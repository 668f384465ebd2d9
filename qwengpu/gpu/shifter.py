"""SHL, SHR, SAR, BREV, POPC, CLZ of base-4 digits. Three levels behind the operands, the last is the slot's."""

from __future__ import annotations

from dataclasses import dataclass

from qwengpu.circuits import Circuit, Form, Linear, Wire, form, total
from qwengpu.gpu.alu import Result
from qwengpu.gpu.digits import BASE, DIGITS, Digits, Terms, gated_step, high, is_value, odd, quotient
from qwengpu.gpu.rom import Fields
from qwengpu.isa import Op

FINE = BASE
"""The first stage shifts by 0...3 bits, the second by multiples of 4 bits, which are two digits."""
COARSE = 8


@dataclass(frozen=True)
class ShiftControl:
    """Control wires of one slot."""

    left: Wire
    right: Wire
    arithmetic: Wire
    reverse: Wire
    popc: Wire
    clz: Wire


def make_shift_control(c: Circuit, block: Fields, slot: int) -> ShiftControl:
    """One level behind the ROM."""
    return ShiftControl(
        left=block.any_op(slot, [Op.SHL], "left"),
        right=block.any_op(slot, [Op.SHR, Op.SAR], "right"),
        arithmetic=block.any_op(slot, [Op.SAR], "arithmetic"),
        reverse=block.any_op(slot, [Op.BREV], "reverse"),
        popc=block.any_op(slot, [Op.POPC], "popc"),
        clz=block.any_op(slot, [Op.CLZ], "clz"),
    )


def make_shift(c: Circuit, control: ShiftControl, a: Digits, b: Digits, upper: Digits) -> Result:
    """One slot in one lane; ``upper``: the upper bits of a's digits."""
    out: list[Terms] = [[] for _ in range(DIGITS)]
    _add_shift(c, out, control, a, b, upper)
    for place in range(DIGITS):
        mirror = DIGITS - 1 - place
        swapped = 2 * form(a[mirror]) - 3 * form(upper[mirror])  # upper bit + 2 * lower bit
        out[place].append((1, control.reverse, swapped))
    _add_count(c, out, control, a)
    return Result(tuple(out))


def _add_shift(
    c: Circuit, out: list[Terms], control: ShiftControl, a: Digits, b: Digits, upper: Digits
) -> None:
    fill = c.bit(high(a[-1], control.arithmetic), "fill")
    right = [c.bit(is_value(b[0], v, control.right), f"right_by.{v}") for v in range(1, FINE)]
    left = [c.bit(is_value(b[0], v, control.left), f"left_by.{v}") for v in range(1, FINE)]
    aligned = c.bit(is_value(b[0], 0), "aligned")
    digit = [c.bit(is_value(b[1], v), f"coarse.{v}") for v in range(BASE)]
    half = c.bit(odd(b[2]), "coarse.4")
    beyond = c.bit(gated_step(b[2] + 2 * total(b[3:]), 2), "beyond")
    once = _fine(c, a, upper, fill, (aligned, right, left))
    rights, lefts = (
        [
            c.bit(
                [(1, form(digit[m % BASE]) + (half if m >= BASE else 1 - half) + on - beyond - 2, 1)],
                f"{name}.{m}",
            )
            for m in range(COARSE)
        ]
        for name, on in (("rights", form(control.right)), ("lefts", form(control.left)))
    )
    lost = c.bit([(1, form(beyond) + fill - 1, 1)], "all_fill")
    for place in range(DIGITS):
        terms = out[place]
        terms.append((1, form(rights[0]) + lefts[0], once[place]))
        for m in range(1, COARSE):
            if place + 2 * m < DIGITS:
                terms.append((1, rights[m], once[place + 2 * m]))
            if place - 2 * m >= 0:
                terms.append((1, lefts[m], once[place - 2 * m]))
        outside = [rights[m] for m in range(COARSE) if place + 2 * m >= DIGITS]
        if outside:
            terms.append((BASE - 1, total(outside) + fill - 1, 1))
        terms.append((BASE - 1, lost, 1))


def _fine(
    c: Circuit, a: Digits, upper: Digits, fill: Wire, by: tuple[Wire, list[Wire], list[Wire]]
) -> list[Wire]:
    """a shifted by 0...3 bits, ``fill`` from above, zeros from below."""
    aligned, right, left = by

    def digit(place: int) -> Form:
        if place >= DIGITS:
            return (BASE - 1) * form(fill)
        return form(a[place]) if place >= 0 else form(0)

    def bit(place: int, which: int) -> Form:
        if place >= DIGITS:
            return form(fill)
        if place < 0:
            return form(0)
        return form(upper[place]) if which else a[place] - 2 * form(upper[place])

    def across(low: int) -> Form:
        """The digit made of the upper bit of digit ``low`` and the lower bit of the next."""
        return bit(low, 1) + 2 * bit(low + 1, 0)

    wires = []
    for place in range(DIGITS):
        terms: Terms = [
            (1, aligned, a[place]),
            (1, right[0], across(place)),
            (1, right[1], digit(place + 1)),
            (1, right[2], across(place + 1)),
            (1, left[0], across(place - 1)),
            (1, left[1], digit(place - 1)),
            (1, left[2], across(place - 2)),
        ]
        wires.append(c.neurons([t for t in terms if form(t[2]) != form(0)], f"once.{place}", 0, BASE - 1))
    return wires


def _add_count(c: Circuit, out: list[Terms], control: ShiftControl, a: Digits) -> None:
    """POPC and CLZ: level A makes the number 0...32, the last level its three digits."""
    terms: Terms = []
    for place, digit in enumerate(a):
        one = form(digit)
        terms += [(1, one, control.popc), (-1, one - 1, control.popc), (1, one - 2, control.popc)]
        # Leading zeros within this digit, if all above it are zero: 2 - digit, at least 0.
        terms.append((1, 2 - one - 2 * total(a[place + 1 :]), control.clz))
    count = c.neurons(terms, "count", 0, 2 * DIGITS)
    for place in range(3):
        unit = BASE**place
        out[place] += [*quotient(count, unit), *quotient(count, unit * BASE, 1, -BASE)]


def number_digits(value: Linear, count: int) -> list[Terms]:
    """Base-4 digits of a small number, as neurons."""
    return [
        [*quotient(value, BASE**place), *quotient(value, BASE ** (place + 1), 1, -BASE)]
        for place in range(count)
    ]
