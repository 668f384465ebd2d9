"""Effective addresses of loads and the store: a + (b << scale) + c, checked against the space's bounds.

Operands that are known early can be selected and added early, in two levels. What the level before delivers
joins in the one level that selects and adds; one more gives the digits that memories are addressed by.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from qwengpu.circuits import Circuit, Form, Linear, Wire, form, number, row_select, total
from qwengpu.gpu.alu import SCALES, WHOLE_HALF
from qwengpu.gpu.digits import (
    BASE,
    DIGITS,
    HALF,
    Digits,
    Terms,
    digit_onehot,
    gated_step,
    high,
    is_value,
    pick,
    weigh,
)
from qwengpu.gpu.features import index_bits
from qwengpu.gpu.rom import Fields
from qwengpu.image import GLOBAL_BASE
from qwengpu.isa import Op, Space, Width
from qwengpu.spec import WORD_BITS, Spec

WORD_BYTES = WORD_BITS // 8
ALIGN_DIGITS = 4
"""Digits that can decide on alignment: up to 2**7 bytes."""
ALIGN_BITS = 7
OVERFLOWS = 4
"""The lower half's sum has a carry of 0...3."""
HALF_WIDTHS = (Width.U16, Width.S16, Width.WORD_OF_16)
WORD_WIDTHS = (Width.WORD,)


@dataclass(frozen=True)
class AddressControl:
    """Control wires of one access: a load slot, or the store.

    ``is_global``, ``is_shared``: there is an access to this space. ``operand[name][k]``: operand a, b or c
    is bus entry k. ``scaled[k][s]``: b is entry k, scaled by s; ``signed[k][s]``: and signed. ``limit``:
    bytes of the space minus bytes of the access. ``aligned[i]``: the address must be a multiple of 2**(i + 1).
    """

    is_global: Wire
    is_shared: Wire
    operand: dict[str, tuple[Linear, ...]]
    scale: tuple[Wire, ...]
    signed_scale: tuple[Wire, ...]
    scaled: tuple[tuple[Linear, ...], ...]
    signed: tuple[tuple[Linear, ...], ...]
    limit: Wire
    aligned: tuple[Wire, ...]


def make_address_control(
    c: Circuit,
    block: Fields,
    place: str,
    entries: int,
    used: Linear,
    sizes: tuple[Linear, Linear],
) -> AddressControl:
    """Control of ``place`` ("slot2", "store"), two levels behind the ROM.

    ``used`` is a form; ``sizes``: bytes of global and of shared memory.
    """
    scale, space, align = (block[f"{place}.{mod}"] for mod in ("scale", "space", "align"))
    signed = block.flag(f"{place}.signed")
    scales = [row_select(scale, s) for s in range(SCALES)]
    operand = {name: block.selects(f"{place}.{name}", entries, name) for name in "abc"}
    b = block[f"{place}.b"]
    zero = tuple(form(0) for _ in range(SCALES))
    scaled = [zero] + [
        tuple(c.bit([(1, row_select(b, k, one), 1)], f"b{k}.scale{s}") for s, one in enumerate(scales))
        for k in range(1, entries)
    ]
    signs = [zero] + [
        tuple(
            c.bit([(1, row_select(b, k, one + signed - 1), 1)], f"b{k}.signed{s}")
            for s, one in enumerate(scales)
        )
        for k in range(1, entries)
    ]
    is_global = c.bit([(1, row_select(space, Space.GLOBAL, used), 1)], "is_global")
    is_shared = c.bit([(1, row_select(space, Space.SHARED, used), 1)], "is_shared")
    halves = block.equals(f"{place}.width", HALF_WIDTHS, "is_half")
    words = block.equals(f"{place}.width", WORD_WIDTHS, "is_word")
    size = 1 + form(halves) + 3 * form(words)
    capacity = max(form(one).hi for one in sizes)
    limit = c.neurons(
        [(1, is_global, form(sizes[0])), (1, is_shared, form(sizes[1])), (-1, 1, size)],
        "limit",
        -WORD_BYTES,
        capacity,
    )
    strict = [c.bit(gated_step(number(align), i + 1), f"align.{i}") for i in range(ALIGN_BITS)]
    natural = [form(halves) + words, form(words)] + [form(0)] * (ALIGN_BITS - 2)
    aligned = tuple(
        c.bit(gated_step(form(one) + more, 1), f"aligned.{i}")
        for i, (one, more) in enumerate(zip(strict, natural, strict=True))
    )
    return AddressControl(
        is_global,
        is_shared,
        operand,
        tuple(c.bit([(1, one, 1)], f"scale.{s}") for s, one in enumerate(scales)),
        tuple(c.bit([(1, one + signed - 1, 1)], f"signed_scale.{s}") for s, one in enumerate(scales)),
        tuple(scaled),
        tuple(signs),
        limit,
        aligned,
    )


def load_used(block: Fields, slot: int) -> Form:
    """1 if a load slot is in use."""
    return row_select(block[f"slot{slot}.op"], Op.LD.code)


Piece: TypeAlias = tuple[int, int]
"""Digits start...stop - 1 of an address, summed as one number."""


def address_digits(spec: Spec) -> int:
    """Lowest digits that are needed one by one: for the word's address, and for its alignment."""
    return max(ALIGN_DIGITS, -(-(index_bits(spec.memory_rows) + 2) // 2))


def pieces(spec: Spec) -> tuple[Piece, ...]:
    """How the digits of an address are summed: one by one as far as needed, above that by numbers."""
    count = address_digits(spec)
    single = [(place, place + 1) for place in range(count)]
    quarter = HALF // 2
    rest = [(count, HALF)] if count < HALF else []
    return (*single, *rest, (HALF, HALF + quarter), (HALF + quarter, DIGITS))


@dataclass(frozen=True)
class Sum:
    """``parts[i]``: the sum of the operands within ``pieces[i]``; ``above``: their signs, in units of 2**32."""

    pieces: tuple[Piece, ...]
    parts: tuple[Wire, ...]
    above: Wire

    def number(self, start: int, stop: int) -> Form:
        """What the pieces from digit ``start`` to ``stop`` spell."""
        return total(
            form(part) * BASE ** (first - start)
            for (first, last), part in zip(self.pieces, self.parts, strict=True)
            if start <= first and last <= stop
        )


def _piece_bound(piece: Piece) -> int:
    """Largest sum of a + (b << 3) + c in a piece; the top one also takes what the shift moves above it."""
    start, stop = piece
    whole: int = BASE ** (stop - start)
    return 10 * whole if stop == DIGITS else 4 * (whole - 1)


def _shifted(scale: Sequence[Linear], b: Sequence[Linear], piece: Piece) -> Terms:
    """What b adds to a piece: b, 2 b, or these one digit higher."""
    start, stop = piece
    up = weigh(b[start - 1 : stop - 1 + (stop == DIGITS)]) if start else BASE * weigh(b[: stop - 1])
    own = weigh(b[start:stop])
    terms: Terms = [(1, scale[0], own), (2, scale[1], own), (1, scale[2], up), (2, scale[3], up)]
    return [term for term in terms if form(term[2]) != form(0)]


SIGNS = -(2 + (1 << (SCALES - 1)))
"""Lower bound of what negative b and c subtract above 32 bits."""


def early_sum(
    c: Circuit, spec: Spec, control: AddressControl, entries: Sequence[Digits | None], count: int
) -> Sum:
    """The part of the sum from bus entries below ``count``: two levels (select, add)."""
    picked = {
        name: [
            c.neurons(
                pick(control.operand[name][:count], [None if e is None else e[place] for e in entries[:count]]),
                f"{name}.{place}",
                0,
                BASE - 1,
            )
            for place in range(DIGITS)
        ]
        for name in "abc"
    }
    a, b, d = picked["a"], picked["b"], picked["c"]
    parts = []
    for piece in pieces(spec):
        place = slice(*piece)
        terms: Terms = [(1, 1, weigh(a[place]) + weigh(d[place])), *_shifted(control.scale, b, piece)]
        parts.append(c.neurons(terms, f"early.{piece[0]}", 0, _piece_bound(piece)))
    above = high(d[-1], 1, -1)
    for scale, on in enumerate(control.signed_scale):
        above += high(b[-1], on, -(1 << scale))
    return Sum(pieces(spec), tuple(parts), c.neurons(above, "early.above", SIGNS, 0))


def full_sum(
    c: Circuit,
    spec: Spec,
    control: AddressControl,
    entries: Sequence[Digits | None],
    first: int = 0,
    early: Sum | None = None,
) -> Sum:
    """The sum of operands from bus entries ``first`` on, and of ``early``: one level.

    The same neurons select and add: b takes one for each bus entry and scale.
    """
    late = [(k, entry) for k, entry in enumerate(entries) if k >= first and entry is not None]
    parts = []
    for number_, piece in enumerate(pieces(spec)):
        terms: Terms = [] if early is None else [(1, 1, early.parts[number_])]
        for k, entry in late:
            own = weigh(entry[slice(*piece)])
            terms += [(1, control.operand["a"][k], own), (1, control.operand["c"][k], own)]
            terms += _shifted(control.scaled[k], entry, piece)
        parts.append(c.neurons(terms, f"sum.{piece[0]}", 0, _piece_bound(piece)))
    above: Terms = [] if early is None else [(1, 1, early.above)]
    for k, entry in late:
        above += high(entry[-1], control.operand["c"][k], -1)
        for scale, on in enumerate(control.signed[k]):
            above += high(entry[-1], on, -(1 << scale))
    return Sum(pieces(spec), tuple(parts), c.neurons(above, "above", SIGNS, 0))


@dataclass(frozen=True)
class Checked:
    """``onehot[j][v]``: digit j of the byte offset is v, for the digits that address a word.

    Faults: two levels behind the sum; ``misaligned`` counts, ``inside`` is a bit.
    """

    onehot: tuple[tuple[Wire, ...], ...]
    inside: Wire
    misaligned: Wire


def check_address(c: Circuit, spec: Spec, control: AddressControl, sum_: Sum) -> Checked:
    """Address digits one level behind the sum, checks two.

    With W the number of the lower digit sums and H that of the upper ones (less the space's base), the offset
    H * 65536 + W is inside 0...limit if for some carry k of W, H = -k and W is k * 65536...k * 65536 + limit.
    """
    low = sum_.number(0, HALF)
    base = (GLOBAL_BASE // WHOLE_HALF) * form(control.is_global)
    upper = sum_.number(HALF, DIGITS) + WHOLE_HALF * form(sum_.above) - base
    word_bits = index_bits(spec.memory_rows)
    onehot = []
    for place in range(address_digits(spec)):
        left = word_bits + 2 - 2 * place
        base_ = 2 if left == 1 and place >= ALIGN_DIGITS else BASE
        onehot.append(digit_onehot(c, sum_.number(0, place + 1), BASE**place, f"digit.{place}", base_))
    parts = []
    for carry in range(OVERFLOWS):
        start = carry * WHOLE_HALF
        reached: Terms = gated_step(low, start) if start else [(1, 1, 1)]
        passed = gated_step(low - control.limit, start + 1, 1, -1)
        here = c.bit(is_value(upper, -carry), f"upper.is{carry}")
        within = c.neurons([*reached, *passed], f"lower.in{carry}", -1, 1)
        parts.append(form(here) + within - 1)
    inside = c.bit([(1, part, 1) for part in parts], "inside")
    return Checked(tuple(onehot), inside, _misaligned(c, control, onehot))


def _misaligned(c: Circuit, control: AddressControl, onehot: list[tuple[Wire, ...]]) -> Wire:
    """Not 0 if a bit is set that alignment forbids."""
    terms: Terms = []
    for place in range(ALIGN_DIGITS):
        is_odd = form(onehot[place][1]) + onehot[place][3]
        even = control.aligned[2 * place]
        both = control.aligned[2 * place + 1] if 2 * place + 1 < ALIGN_BITS else None
        if both is None:
            terms.append((1, even, is_odd))
            continue
        value = is_odd + 2 * (form(onehot[place][2]) + onehot[place][3])
        terms += [(1, both, value), (1, form(even) - both, is_odd)]
    return c.neurons(terms, "misaligned", 0, ALIGN_DIGITS * (BASE - 1))


def word_rows(spec: Spec, onehot: Sequence[Sequence[Linear]], enable: Linear) -> list[Form]:
    """The selects of the memory row that the address digits (those above the byte in a word) spell."""
    bits = index_bits(spec.memory_rows)
    groups = onehot[1 : 1 + (bits + 1) // 2]
    out = []
    for row in range(spec.memory_rows):
        digits = [group[_digit(row, place, bits)] for place, group in enumerate(groups)]
        out.append(total((*digits, enable)) - len(digits))
    return out


def _digit(row: int, place: int, bits: int) -> int:
    width = min(2, bits - 2 * place)
    return row >> 2 * place & ((1 << width) - 1)


def word_number(spec: Spec, onehot: Sequence[Sequence[Linear]]) -> Form:
    """The word's number: free."""
    bits = index_bits(spec.memory_rows)
    groups = onehot[1 : 1 + (bits + 1) // 2]
    return total(
        form(one) * (_digit_value(value, place, bits) * BASE**place)
        for place, group in enumerate(groups)
        for value, one in enumerate(group)
    )


def _digit_value(value: int, place: int, bits: int) -> int:
    return value & ((1 << min(2, bits - 2 * place)) - 1)
