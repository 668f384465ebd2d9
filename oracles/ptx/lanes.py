"""Masks of lanes and the lanes in them."""

from __future__ import annotations

from functools import lru_cache


@lru_cache(maxsize=1 << 16)
def lanes_of(mask: int) -> tuple[int, ...]:
    """The numbers of the bits that are set, ascending."""
    return tuple(lane for lane in range(mask.bit_length()) if mask >> lane & 1)
