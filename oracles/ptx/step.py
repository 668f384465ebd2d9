"""What an instruction is decoded to, before checks, events and guards are wrapped around it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from oracles.ptx.loops import Run
from oracles.ptx.origins import Origin

if TYPE_CHECKING:
    from oracles.ptx.warp import Warp

Taints = Callable[["Warp", int], int]
"""(warp, mask) -> lanes whose result depends on an undefined source."""

Before = Callable[["Warp", Sequence[int], int], dict[int, Origin]]
"""Runs before a step where definedness is checked: lane -> why the lane's results will be undefined."""


@dataclass(frozen=True)
class Step:
    """A decoded instruction.

    ``reads`` and ``writes`` are slots; ``shown`` are the writes that are register events, as (slot, name).
    ``sinks`` are reads whose value matters at once: an address, a stored value, a condition, as
    (slot, what it is used as). ``control`` steps handle their own guard, events and checks.
    ``trace`` appends memory events before the step runs. ``ordered`` is true if the order of lanes can
    matter.
    """

    run: Run
    reads: tuple[int, ...] = ()
    writes: tuple[int, ...] = ()
    shown: tuple[tuple[int, str], ...] = ()
    sinks: tuple[tuple[int, str], ...] = ()
    control: bool = False
    ordered: bool = False
    before: Before | None = None
    trace: Run | None = None
    taints: Taints | None = None
