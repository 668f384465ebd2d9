"""What a run of the machine leaves behind, as data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from qwengpu.tokens import FaultCode


class LaneFault(NamedTuple):
    """One lane's fault. ``slot``: the slot at fault, -1 the store, None the block; ``address``: in bytes."""

    code: FaultCode
    lane: int
    slot: int | None = None
    address: int | None = None


class Record(NamedTuple):
    """One EXEC that took effect.

    ``cta`` is the linear number of the thread block; ``lanes`` the active lanes, ascending. For each of
    them, in this order, ``bus`` holds all bus entries and ``addresses`` the store's effective byte address
    (empty without a store). Bit l of ``taken``: lane l's condition was set.
    """

    cta: int
    warp: int
    block: int
    lanes: tuple[int, ...]
    bus: list[tuple[int, ...]]
    addresses: list[int]
    taken: int


@dataclass(frozen=True)
class MachineFault:
    """The fault that ended the launch: the reported kind, the lanes that have it, every lane's first detail."""

    code: FaultCode
    cta: int
    warp: int
    block: int
    lanes: tuple[int, ...]
    details: tuple[LaneFault, ...]


@dataclass(frozen=True)
class StepLimit:
    """Where the host stopped a launch: ``steps`` EXECs of one warp were done and ``block`` was next."""

    cta: int
    warp: int
    block: int
    steps: int


@dataclass(frozen=True)
class Trace:
    """The end of a launch.

    ``tokens``: ids from the first EXEC (or MASK) to HALT, empty if not asked for; after a step limit they stop
    without HALT. ``execs``: EXECs done; ``executed``: their active lanes summed; ``operations``: slot
    operations times active lanes. ``registers[thread][row]`` and ``shared`` are those of the last thread block.
    ``registers``, ``memory``, ``shared`` are 32-bit words.
    """

    tokens: tuple[int, ...]
    execs: int
    executed: int
    operations: int
    registers: tuple[tuple[int, ...], ...]
    memory: tuple[int, ...]
    shared: tuple[int, ...]
    fault: MachineFault | None = None
    stopped: StepLimit | None = None
    records: tuple[Record, ...] = ()
