"""What a load, store or atomic addresses, as its modifiers say (PTX ISA, "ld", "st", "atom")."""

from __future__ import annotations

from dataclasses import dataclass

SPACES = ("global", "shared", "local", "const", "generic")
"""Index of each space in ``Warp.spaces``."""


@dataclass(frozen=True)
class Access:
    """``count`` elements of ``size`` bytes at ``R[base][lane] + offset`` in a space.

    ``strong`` is 0 for weak accesses, 1 for strong ones within a block, 2 for all others.
    """

    space: str
    base: int
    offset: int
    size: int
    count: int
    strong: int
    acquire: bool = False
    release: bool = False

    @property
    def total(self) -> int:
        """Bytes in all."""
        return self.size * self.count

    @property
    def index(self) -> int:
        """Of the space in ``Warp.spaces``."""
        return SPACES.index(self.space)
