"""Lookup tables of a spec's pipeline."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from qwengpu.isa import Op
from qwengpu.spec import Spec


@dataclass(frozen=True)
class Tables:
    """``early``: for each operation the slots that offer it, lowest level first and within a level the least
    capable kind first; ``late``: the same with the highest level first. ``level``: level of each slot."""

    spec: Spec
    level: tuple[int, ...]
    early: dict[Op, tuple[int, ...]]
    late: dict[Op, tuple[int, ...]]


@lru_cache(maxsize=64)
def tables(spec: Spec) -> Tables:
    """The tables of ``spec``."""
    kinds, level = spec.slot_kinds, spec.slot_levels
    breadth = {kind: sum(kind in op.kinds for op in Op) for kind in set(kinds)}
    early: dict[Op, tuple[int, ...]] = {}
    late: dict[Op, tuple[int, ...]] = {}
    for op in Op:
        offered = [slot for slot, kind in enumerate(kinds) if kind in op.kinds]
        early[op] = tuple(sorted(offered, key=lambda slot: (level[slot], breadth[kinds[slot]])))
        late[op] = tuple(sorted(offered, key=lambda slot: (-level[slot], breadth[kinds[slot]])))
    return Tables(spec, level, early, late)
