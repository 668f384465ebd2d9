"""Signed division that truncates, with values where PTX leaves them open."""

from __future__ import annotations


def divide(a: int, b: int) -> int:
    """The quotient, rounded towards zero; -1 (all ones) for a zero divisor, which PTX leaves open."""
    if b == 0:
        return -1
    quotient = abs(a) // abs(b)
    return quotient if (a < 0) == (b < 0) else -quotient


def remainder(a: int, b: int) -> int:
    """The remainder with the sign of the dividend; the dividend for a zero divisor, which PTX leaves open."""
    if b == 0:
        return a
    rest = abs(a) % abs(b)
    return -rest if a < 0 else rest
