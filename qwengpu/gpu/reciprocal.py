"""RCP of one slot in one lane: five levels behind the operand, the last is the slot's.

Level 1 finds the top digit that is not zero, level 2 the six digits from there on, level 3 the nine bits behind
the leading one, level 4 looks up the reciprocal of these, level 5 shifts it into place.
"""

from __future__ import annotations

from qwengpu.circuits import Circuit, Form, Wire, form, total
from qwengpu.circuits.gates import table_terms
from qwengpu.gpu.alu import Result
from qwengpu.gpu.digits import BASE, DIGITS, Digits, Terms, gated_step, weigh

ENTRIES = 512
TABLE = tuple((1 << 19) // (ENTRIES + 1 + i) for i in range(ENTRIES))
"""Reciprocals of 1 + (i + 1) / 512, scaled: 512...1021 (docs/machine.md, RCP)."""
WINDOW = 6
"""Digits that hold the leading one and the nine bits behind it."""
TABLE_DIGITS = 5


def make_reciprocal(c: Circuit, on: Wire, a: Digits) -> Result:
    """The reciprocal seed of a, or nothing unless ``on``."""
    clear = [form(c.bit([(1, 1 - total(a[place:]), 1)], f"clear.{place}")) for place in range(DIGITS)]
    above = [*clear[1:], form(1)]
    top = [above[place] - clear[place] for place in range(DIGITS)]
    window = [
        c.neurons([(1, top[place], a[place - k]) for place in range(k, DIGITS)], f"window.{k}", 0, BASE - 1)
        for k in range(WINDOW)
    ]
    even = c.bit(gated_step(window[0], 2), "even")
    entry = c.neurons(_entry(window), "entry", 0, ENTRIES - 1)
    digits, upper = _lookup(c, entry)
    return Result(_shifted(on, top, even, digits, upper, clear[0]))


def _entry(window: list[Wire]) -> Terms:
    """The nine bits behind the leading one, which is the upper or the lower bit of the first digit."""
    first, rest = form(window[0]), window[1:]
    with_upper = (first - 2) * BASE ** (WINDOW - 2) + weigh(tuple(reversed(rest[:-1])))
    with_lower = 2 * weigh(tuple(reversed(rest[:-1])))
    upper = [(coef, gate, with_upper) for coef, gate, _ in gated_step(first, 2)]
    return [*upper, (1, 2 - first, with_lower), *gated_step(rest[-1], 2, 2 - first)]


def _lookup(c: Circuit, entry: Wire) -> tuple[list[Wire], list[Wire]]:
    """Digits of the table's entry, and their upper bits."""
    digits, upper = [], []
    for place in range(TABLE_DIGITS):
        values = [value // BASE**place % BASE for value in TABLE]
        digits.append(c.neurons(table_terms(entry, values), f"table.{place}", 0, BASE - 1))
        upper.append(c.bit(table_terms(entry, [value // 2 for value in values]), f"table.{place}.upper"))
    return digits, upper


def _shifted(
    on: Wire, top: list[Form], even: Wire, digits: list[Wire], upper: list[Wire], zero: Form
) -> tuple[Terms, ...]:
    """The entry times 2**(n - 9), n the leading zeros: even if the leading one is an upper bit.

    With the leading one in digit j, n - 9 is 2 * (11 - j), less one if n is even.
    """
    out: list[Terms] = [[] for _ in range(DIGITS)]
    for place in range(DIGITS):
        for j in range(DIGITS):
            at = place - 11 + j
            if 0 <= at < TABLE_DIGITS:
                out[place].append((1, top[j] - even + on - 1, digits[at]))
            half = _half(digits, upper, at)
            if half is not None:
                out[place].append((1, top[j] + even + on - 2, half))
        out[place].append((BASE - 1, zero + on - 1, 1))
    return tuple(out)


def _half(digits: list[Wire], upper: list[Wire], at: int) -> Form | None:
    """Digit ``at`` of the entry shifted right by one bit: its upper bit, and twice the next one's lower bit."""
    low = form(upper[at]) if 0 <= at < TABLE_DIGITS else None
    above = 2 * form(digits[at + 1]) - 4 * form(upper[at + 1]) if 0 <= at + 1 < TABLE_DIGITS else None
    if low is None or above is None:
        return low or above
    return low + above
