"""RMSNorm as an exact scaling: what the weights prove, and what is left to verify at run time.

If some channels hold constants c that no layer ever writes, with mean square sum(c^2) / H = 4^e exactly,
and the other channels' energy stays below half the last bit of the smallest c^2, then whatever the order of
its sum, the norm divides by exactly 2^e. (1 + weight) * 2^-e is then one factor a channel, and where it is
a power of two it can be folded into the columns of the matrices behind the norm, without a change in any
bit (but for values so small that they would underflow between the two multiplications: below 2^-126+e).

Proven here: constants, powers of two, exactness of the folded weights. Verified by the kernels, for every token
and norm: which constants the token has, and the energy.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from qwengpu.executor.sparse import Floats, Ints, Matrix

LARGE = 2.0**16
"""A channel counts as a constant of the norm only from this magnitude on; smaller ones are data."""
SLACK = 0.5
"""Of the energy that would be absorbed: leaves room for the rounding of the energy's own sum."""


@dataclass(frozen=True, eq=False)
class Constants:
    """The norm's constants. ``scale`` = 2^-e; ``limit``: the data's energy up to which they rule.

    ``energy[t]``: sum of squares of token t's other channels, rounded up; infinite if it has other constants.
    """

    channels: tuple[int, ...]
    scale: float
    limit: float
    energy: Floats


def no_constants(vocabulary: int) -> Constants:
    """Every norm is computed in full."""
    return Constants((), 1.0, -1.0, np.full(vocabulary, np.inf, np.float32))


def find_constants(embedding: Matrix, written: NDArray[np.bool_], eps: float) -> Constants:
    """The constants that the embeddings of most tokens share, in channels that are never written."""
    vocabulary, hidden = embedding.shape
    token = np.repeat(np.arange(vocabulary), embedding.row_counts)
    wide = embedding.values.astype(np.float64)
    marks = ~written[embedding.columns] & (np.abs(wide) >= LARGE)
    patterns = _patterns(embedding, marks)
    if not patterns:
        return no_constants(vocabulary)
    pattern = max(patterns, key=lambda p: (len(patterns[p]), p))
    rule = _rule([value for _, value in pattern], hidden, eps)
    if rule is None:
        return no_constants(vocabulary)
    energy = np.bincount(token, weights=np.where(marks, 0.0, wide * wide), minlength=vocabulary)
    known = np.zeros(vocabulary, bool)
    known[patterns[pattern]] = True
    energy = np.where(known, energy * (1 + 2.0**-20), np.inf)
    return Constants(tuple(channel for channel, _ in pattern), *rule, energy.astype(np.float32))


def _patterns(embedding: Matrix, marks: NDArray[np.bool_]) -> dict[tuple[tuple[int, float], ...], list[int]]:
    """Sets of (channel, constant) that occur, with the tokens that have them."""
    found: dict[tuple[tuple[int, float], ...], list[int]] = {}
    for row in range(embedding.shape[0]):
        part = slice(embedding.start[row], embedding.start[row + 1])
        keep = marks[part]
        if keep.any():
            key = zip(
                embedding.columns[part][keep].tolist(), embedding.values[part][keep].tolist(), strict=True
            )
            found.setdefault(tuple(key), []).append(row)
    return found


def _rule(values: Iterable[float], hidden: int, eps: float) -> tuple[float, float] | None:
    """(scale, limit) of the constants, or None if their mean square is no power of 4, or inexact in float32."""
    squares = [Fraction(value) ** 2 for value in values]
    mean = sum(squares, Fraction(0)) / hidden
    exponent = _exponent(mean)
    if exponent is None or exponent % 2 or mean > Fraction(2) ** 120:
        return None
    unit = min(Fraction(s.numerator & -s.numerator, s.denominator) for s in squares)
    if sum(squares, Fraction(0)) / unit >= 1 << 24 or Fraction(eps) >= mean / (1 << 26):
        return None
    smallest = min(squares)
    last_bit = Fraction(2) ** (_floor_log2(smallest) - 23)
    return 2.0 ** -(exponent // 2), float(last_bit / 2) * SLACK


def _exponent(value: Fraction) -> int | None:
    """log2 of an exact power of two."""
    power = _floor_log2(value)
    return power if value == Fraction(2) ** power else None


def _floor_log2(value: Fraction) -> int:
    power = value.numerator.bit_length() - value.denominator.bit_length()
    return power if Fraction(2) ** power <= value else power - 1


def fold(gain: Floats, scale: float, columns: Ints, values: Floats) -> Floats | None:
    """``values`` with their columns' norm factors multiplied in, or None if that is not exact.

    ``gain``: 1 + the norm's weight, by channel.
    """
    factor = gain.astype(np.float64)[columns] * scale
    mantissa, _ = np.frexp(factor)
    folded = values.astype(np.float64) * factor
    narrow = folded.astype(np.float32)
    normal = np.abs(narrow) >= np.finfo(np.float32).tiny
    if (np.abs(mantissa) == 0.5).all() and normal.all() and (narrow.astype(np.float64) == folded).all():
        return narrow
    return None
