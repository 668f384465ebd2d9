"""Row selects of memories: one that is a wire, or the sum of two, costs an address one or two weights a row."""

from __future__ import annotations

from collections.abc import Sequence

from qwengpu.circuits import Circuit, Form, Linear, Wire, form, row_select

MOST_WIRES = 64
"""Rows that get a wire each; more are spelt by two groups of wires."""


def decoded(
    c: Circuit, bits: Sequence[Linear], count: int, name: str, enable: Linear | None = None
) -> tuple[Form, ...]:
    """Selects of rows 0...count - 1 by the bits of a row's number; none if ``enable`` is 0. One level."""

    def wires(some: Sequence[Linear], rows: int, label: str, on: Linear | None) -> list[Wire]:
        return [c.bit([(1, row_select(some, row, on), 1)], f"{name}.{label}{row}") for row in range(rows)]

    if count <= MOST_WIRES:
        return tuple(map(form, wires(bits, count, "", enable)))
    half = len(bits) // 2
    low = wires(bits[:half], 1 << half, "low", None)
    high = wires(bits[half:], -(-count >> half), "high", enable)
    return tuple(form(high[row >> half]) + low[row & (1 << half) - 1] - 1 for row in range(count))


def both(first: Linear, second: Linear) -> Form:
    """AND of two selects."""
    return form(first) + second - 1


def paired(c: Circuit, groups: Sequence[Sequence[Linear]], name: str) -> list[list[Linear]]:
    """One-hots of digits, lowest first, joined two by two into one-hots of larger digits: one level."""
    out: list[list[Linear]] = []
    for place in range(0, len(groups) - 1, 2):
        low, high = groups[place], groups[place + 1]
        out.append([c.bit([(1, both(x, y), 1)], f"{name}.{place}.{len(out)}") for y in high for x in low])
    return out if len(groups) % 2 == 0 else [*out, list(groups[-1])]
